#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Build the external module for one of Debian's own kernels, which does not have KUnit,
# and run its test there. The file other.ko claims to be for another kind of kernel. TAP
# on standard output.
#
# Usage: vm/module_suite.sh DIRECTORY [VERSION]
#   DIRECTORY  for the build
#   VERSION    one of vm/kernels; without it, the kernel of the installed headers
set -eu
[ $# -eq 1 ] || [ $# -eq 2 ] || {
	echo "usage: vm/module_suite.sh DIRECTORY [VERSION]" >&2
	exit 2
}
cd "$(dirname "$0")/.."
directory=$1
shift
headers=$(vm/stock_headers.sh "$@")
vm/module.sh "$directory" "$headers" >"$directory.log"
sed 's/ SMP preempt / UMP preempt /' "$directory/kernel/utf8val.ko" >"$directory/other.ko"
stock=$(vm/stock_kernel.sh "$@")
exec vm/run.py --init build/vm/init --kernel "$stock/vmlinuz" --fs none --append edd=off \
	--file "$directory/kernel/utf8val.ko:/module.ko" \
	--file "$directory/kunit/selftest/utf8val_selftest.ko:/selftest.ko" \
	--file "$directory/examples/module/label.ko:/label.ko" \
	--file "$directory/other.ko:/other.ko" build/vm/module_test
