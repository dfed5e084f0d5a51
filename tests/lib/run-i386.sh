#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Run a dynamically linked i386 program: natively where the kernel can, otherwise
# by qemu-user. Some hypervisors and hardened kernels run no 32-bit programs.
#
# Usage: tests/lib/run-i386.sh PROGRAM [ARG...]
set -u
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
	echo "usage: tests/lib/run-i386.sh PROGRAM [ARG...]" >&2
	exit 2
fi
# Try the loader of i386 programs, which prints its version.
/lib/ld-linux.so.2 --version >/dev/null 2>&1 || set -- qemu-i386 "$@"
exec "$@"
