#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Measure instructions, counted by QEMU: what the guard costs for each
# open(O_CREAT) on tmpfs (the median of 2001 calls), on Debian's own kernels:
# without the guard, with the guard on a file system that has no mode, and on
# one with enforce; and for two system calls that do nothing but ask for a capability,
# which a program of the guard sees, too: CAP_SETGID and CAP_SYS_ADMIN.
#
# Usage: vm/bench/guard.sh PROGRAMS GUARD VERSION...
#   PROGRAMS  the directory with init and cost
#   GUARD     utf8val-guard
#   VERSION   as stock_kernel.sh takes it
set -eu
[ $# -ge 3 ] || {
	echo "usage: vm/bench/guard.sh PROGRAMS GUARD VERSION..." >&2
	exit 2
}
programs=$1
guard=$2
shift 2

# count KERNEL MODE...: prints the lines of the program cost
count() {
	kernel=$1
	shift
	vm/run.py --count --stock "$kernel" --init "$programs/init" --fs none "$@"
}

for version; do
	stock=$(vm/stock_kernel.sh "$version")
	count "$stock" "$programs/cost" none >"$programs/guard-cost.absent"
	count "$stock" --guard "$guard" "$programs/cost" none enforce \
		>"$programs/guard-cost.loaded"
	vm/bench/report.py guard "$(cat "$stock/release")" "$programs/guard-cost.absent" \
		"$programs/guard-cost.loaded"
done
