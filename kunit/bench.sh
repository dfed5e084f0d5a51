#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What the mount option costs: instructions per open(O_CREAT) on tmpfs, in a
# kernel without it and in the same kernel with it, counted by QEMU. Each
# figure is the median of 2001 calls. The targets are for names of 14 bytes.
#
# Usage: kunit/bench.sh VERSION PROGRAMS
#   VERSION   as kernel.sh takes it
#   PROGRAMS  the directory with init and cost
set -eu
[ $# -eq 2 ] || { echo "usage: kunit/bench.sh VERSION PROGRAMS" >&2; exit 2; }
version=$1
programs=$2

# count FLAVOUR MODE...: cost's lines
count() {
	build=$(kunit/kernel.sh "$version" "$1")
	shift
	kunit/vm.py --count --kernel "$build/arch/x86/boot/bzImage" \
		--init "$programs/init" --fs none "$programs/cost" "$@"
}

without=$(count bare none | sed 's/ none / without /')
with=$(count std none audit enforce)
printf '%s\n%s\n' "$without" "$with" | awk -v version="$version" '
	{ key = $1 " " $2; cost[key, $3] = $4
	  if (!(key in seen)) { seen[key] = 1; keys[++count] = key } }
	function over(key, mode, base) {
		return (cost[key, mode] / cost[key, base] - 1) * 100
	}
	END {
		printf "Linux %s: instructions per open(O_CREAT) on tmpfs\n\n", version
		print "name            without    unset    audit  enforce" \
			"  unset/without  enforce/unset"
		for (i = 1; i <= count; i++) {
			split(keys[i], name, " ")
			printf "%-6s %3d bytes %8d %8d %8d %8d %+13.2f%% %+13.2f%%\n",
				name[1], name[2], cost[keys[i], "without"],
				cost[keys[i], "none"], cost[keys[i], "audit"],
				cost[keys[i], "enforce"],
				over(keys[i], "none", "without"),
				over(keys[i], "enforce", "none")
		}
		printf "\ntargets, 14 bytes of ASCII: unset/without %+.2f%% (less than 0.3%%): %s; enforce/unset %+.2f%% (less than 1.5%%): %s\n",
			over("ASCII 14", "none", "without"),
			over("ASCII 14", "none", "without") < 0.3 ? "reached" : "not reached",
			over("ASCII 14", "enforce", "none"),
			over("ASCII 14", "enforce", "none") < 1.5 ? "reached" : "not reached"
	}'
