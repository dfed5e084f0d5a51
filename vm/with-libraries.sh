#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# run.py's arguments that put a program of this machine, and the shared
# libraries it is linked with, into the guest.
#
# Usage: vm/with-libraries.sh PROGRAM
set -eu
[ $# -eq 1 ] || { echo "usage: vm/with-libraries.sh PROGRAM" >&2; exit 2; }
echo "--file $1:$1"
ldd "$1" | sed -n 's/^[^/]*\(\/[^ ]*\) (.*/--file \1:\1/p'
