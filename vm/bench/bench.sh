#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Measure the mount option's cost for each open(O_CREAT) on tmpfs (the median of 2001
# calls) in instructions, which QEMU counts, beside the same kernel built without the
# option.
#
# Usage: vm/bench/bench.sh VERSION PROGRAMS
#   VERSION   as kernel.sh takes it
#   PROGRAMS  the directory with init and cost
set -eu
[ $# -eq 2 ] || { echo "usage: vm/bench/bench.sh VERSION PROGRAMS" >&2; exit 2; }
version=$1
programs=$2

# count FLAVOUR MODE...: prints the lines of the program cost
count() {
	build=$(vm/kernel.sh "$version" "$1")
	shift
	vm/run.py --count --init "$programs/init" --fs none \
		--kernel "$build/arch/x86/boot/bzImage" "$programs/cost" "$@"
}

count bare+bench none >"$programs/cost.without"
count std+bench none audit enforce >"$programs/cost.with"
vm/bench/report.py option "$version" "$programs/cost.without" "$programs/cost.with"
