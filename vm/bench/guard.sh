#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Measure the guard's cost on Debian's own kernels in instructions, which QEMU counts.
# One part is each open(O_CREAT) on tmpfs (the median of 2001 calls): without the guard,
# with the guard and no mode, and with enforce. The other part is two system calls that
# only check a capability, CAP_SETGID or CAP_SYS_ADMIN. A program of the guard runs at
# these checks also.
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
