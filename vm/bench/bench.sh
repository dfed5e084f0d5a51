#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Measure instructions, counted by QEMU: what the mount option costs for each
# open(O_CREAT) on tmpfs (the median of 2001 calls), and what the check of a
# name costs beside the functions that the kernel has had so far.
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

without=$(count bare+bench none)
with=$(count std+bench none audit enforce)
printf '%s\n' "$without" | sed 's/ none / without /' >"$programs/cost.out"
printf '%s\n' "$with" >>"$programs/cost.out"
awk -v version="$version" '
	$2 == "call" { next }
	{ key = $1 " " $2; cost[key, $3] = $4
	  if (!(key in seen)) { seen[key] = 1; keys[++count] = key } }
	function over(key, mode) {
		return cost[key, mode] - cost[key, "without"]
	}
	function verdict(what, key, mode, most) {
		printf "  %-55s %d more, at most %d: %s\n", what, over(key, mode),
			most, over(key, mode) <= most ? "reached" : "not reached"
	}
	END {
		printf "Linux %s: instructions per open(O_CREAT) on tmpfs\n\n", version
		print "name            without the option  option not given    audit  enforce"
		for (i = 1; i <= count; i++) {
			key = keys[i]
			split(key, name, " ")
			printf "%-6s %3d bytes %18d %+17d %+8d %+8d\n", name[1], name[2],
				cost[key, "without"], over(key, "none"),
				over(key, "audit"), over(key, "enforce")
		}
		print "\ntargets:"
		verdict("option not given, 14 bytes of ASCII", "ASCII 14", "none", 12)
		verdict("enforce, 14 bytes of ASCII", "ASCII 14", "enforce", 45)
		verdict("enforce, 255 bytes of three-byte characters", "3-byte 255",
			"enforce", 1200)
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
