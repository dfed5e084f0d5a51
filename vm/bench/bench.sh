#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Measure instructions, counted by QEMU: what the mount option costs for each
# open(O_CREAT) on tmpfs (the median of 2001 calls), and what the check of a
# name costs beside the functions that the kernel has had so far.
#
# The option's cost is compared with two kernels: the same kernel built without the
# module, and the same kernel that has the module but does not start it (lsm=). The
# difference between these two is what Linux 6.12 takes for a security module of any kind,
# in every hook on the way; the rest is this module's own cost.
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

# count FLAVOUR LSMS MODE...: prints the lines of the program cost
count() {
	build=$(vm/kernel.sh "$version" "$1")
	lsms=$2
	shift 2
	vm --kernel "$build/arch/x86/boot/bzImage" --append "lsm=$lsms" \
		"$programs/cost" "$@"
}

without=$(count bare+bench landlock none)
idle=$(count std+bench landlock none)
with=$(count std+bench landlock,utf8val none audit enforce)
printf '%s\n' "$without" | sed 's/ none / without /' >"$programs/cost.out"
printf '%s\n' "$idle" | sed 's/ none / idle /' >>"$programs/cost.out"
printf '%s\n' "$with" >>"$programs/cost.out"
awk -v version="$version" '
	{ key = $1 " " $2; cost[key, $3] = $4
	  if (!(key in seen)) { seen[key] = 1; keys[++count] = key } }
	function over(key, mode, base) {
		return (cost[key, mode] / cost[key, base] - 1) * 100
	}
	function verdict(what, key, mode, base, target,    percent) {
		percent = over(key, mode, base)
		printf "  %-55s %+.2f%%, less than %.1f%%: %s\n", what, percent,
			target, percent < target ? "reached" : "not reached"
	}
	END {
		printf "Linux %s: instructions per open(O_CREAT) on tmpfs\n\n", version
		print "                 the module is        the mount option is" \
			"        unset over      enforce over"
		print "name             absent  not started  unset  audit enforce" \
			"  absent  not started    unset"
		for (i = 1; i <= count; i++) {
			key = keys[i]
			split(key, name, " ")
			printf "%-6s %3d bytes %7d %8d %10d %6d %7d %+7.2f%% %+8.2f%% %+11.2f%%\n",
				name[1], name[2], cost[key, "without"],
				cost[key, "idle"], cost[key, "none"],
				cost[key, "audit"], cost[key, "enforce"],
				over(key, "none", "without"),
				over(key, "none", "idle"),
				over(key, "enforce", "none")
		}
		print "\ntargets:"
		verdict("unset over absent, 14 bytes of ASCII", "ASCII 14",
			"none", "without", 0.3)
		verdict("enforce over unset, 14 bytes of ASCII", "ASCII 14",
			"enforce", "none", 1)
		verdict("enforce over unset, 255 bytes of three-byte characters",
			"3-byte 255", "enforce", "none", 10)
	}' "$programs/cost.out"

# the names' check is measured in Debian's kernel, which has all of the functions
vm/module.sh "$modules" >/dev/null
stock=$(vm/stock_kernel.sh)
printf '\nLinux %s: instructions per check of a name\n\n' \
	"$(basename "$stock")"
vm --kernel "$stock/vmlinuz" --append edd=off \
	--file "$modules/kernel/utf8val.ko:/module.ko" \
	--file "$modules/kunit/selftest/utf8val_cost.ko:/cost.ko" \
	"$programs/module_cost" | awk '
	BEGIN {
		print "name                   utf8val_check_name  utf8_validate" \
			"          utf8s_to_utf16s"
	}
	{ printf "%-12s %3d bytes %19d %14d (%5.1f x) %14d (%4.1f x)\n",
		$1, $2, $3, $4, $4 / $3, $5, $5 / $3 }
	END { exit NR != 6 }'
