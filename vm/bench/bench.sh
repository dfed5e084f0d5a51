#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Measure two costs in instructions, which QEMU counts. The first is the mount option's
# cost for each open(O_CREAT) on tmpfs (the median of 2001 calls). The second is the
# cost of a name's check, next to the kernel's own functions.
#
# The option's cost is compared with the same kernel built without the option.
#
# Usage: vm/bench/bench.sh VERSION PROGRAMS MODULES
#   VERSION   as kernel.sh takes it
#   PROGRAMS  the directory with init, cost and module_cost
#   MODULES   the directory module.sh is to build in
set -eu
[ $# -eq 3 ] || { echo "usage: vm/bench/bench.sh VERSION PROGRAMS MODULES" >&2; exit 2; }
version=$1
programs=$2
modules=$3

vm() {
	vm/run.py --count --init "$programs/init" --fs none "$@"
}

# count FLAVOUR MODE...: prints the lines of the program cost
count() {
	build=$(vm/kernel.sh "$version" "$1")
	shift
	vm --kernel "$build/arch/x86/boot/bzImage" "$programs/cost" "$@"
}

count bare+bench none >"$programs/cost.without"
count std+bench none audit enforce >"$programs/cost.with"
vm/bench/report.py option "$version" "$programs/cost.without" "$programs/cost.with"

# the names' check is measured in Debian's kernel, which has all of the functions
vm/module.sh "$modules" >/dev/null
stock=$(vm/stock_kernel.sh)
printf '\nLinux %s: instructions per check of a name\n\n' \
	"$(basename "$stock")"
vm --kernel "$stock/vmlinuz" --append edd=off \
	--file "$modules/kernel/utf8val.ko:/module.ko" \
	--file "$modules/kunit/selftest/utf8val_cost.ko:/cost.ko" \
	"$programs/module_cost" >"$programs/cost.names"
vm/bench/report.py names "$programs/cost.names"
