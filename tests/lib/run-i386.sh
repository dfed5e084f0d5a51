#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Run a dynamically linked i386 program: natively where the kernel can, otherwise
# by qemu-user. Some hypervisors and hardened kernels run no 32-bit programs.
#
# Usage: tests/lib/run-i386.sh PROGRAM [ARG...]
#        tests/lib/run-i386.sh --native PROGRAM    exit 0 if the kernel can
set -u
native=
if [ "${1-}" = --native ]; then
	native=yes
	shift
fi
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
	echo "usage: tests/lib/run-i386.sh [--native] PROGRAM [ARG...]" >&2
	exit 2
fi
# Try the loader of i386 programs, which prints its version.
loader=/lib/ld-linux.so.2
if "$loader" --version >/dev/null 2>&1; then
	[ -z "$native" ] || exit 0
	exec "$@"
fi
[ -z "$native" ] || exit 1
exec qemu-i386 "$@"
