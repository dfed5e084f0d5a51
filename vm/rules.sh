#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317 # point calls the function
# Each rule of the administrator's page has a test: a point in a program of the
# virtual machine whose name begins with the rule's number, alone or in a list
# ("4, 8, 10: ..."). A number whose rule has ended has no test, and stays. The programs are
# in vm/tests. Each row of vm/lib/deviations.h is for such a point, and for a kernel that
# there is. The suite rules calls this. TAP on standard output.
#
# Usage: vm/rules.sh
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/lib/tap.sh
page=Documentation/admin-guide/utf8val-rules.rst
rules=$(sed -n 's/^\([0-9]*\)\. .*/\1/p' "$page")
next=1
for rule in $rules; do
	[ "$rule" -eq "$next" ] || echo "Bail out! rule $rule stands where $next should"
	next=$((next + 1))
	grep -qx "$rule\. Ended\." "$page" && continue
	list="([0-9]+, )*$rule(, [0-9]+)*"
	files=$(grep -lE "\"$list: |[?:] \"$list\"" vm/tests/*.c |
		sed 's:.*/::' | tr '\n' ' ')
	point "rule $rule: ${files:-no test}" [ "$files" ]
done

# says which deviations are of no point, or of no kernel
deviations() {
	# The formats of the points, as expressions: what is put into one has no comma.
	formats=$(grep -ohE '"[0-9]+(, [0-9]+)*: [^"]*"' vm/tests/*.c |
		sed -E 's/[].*^()$|+?{}[]/\\&/g; s/%[a-z]+/[^,]+/g')
	oldest=$(tools/table.py vm/kernels version |
		awk -F. '{ print 1000 * $1 + $2 }' | sort -n | head -n 1)
	sed -nE 's/^\t\{ (".*"), *([0-9]+),.*/\2 \1/p' vm/lib/deviations.h >"$tmp/rows"
	[ -s "$tmp/rows" ] || echo "there are no deviations"
	while read -r until pattern; do
		# One name that the pattern matches stands for all of them.
		echo "$pattern" | sed -E 's/!\([^)]*\)|\*/x/g; s/@\(([^|]*)[^)]*\)/\1/g' |
			grep -qxE "$formats" || echo "no point of a test is $pattern"
		[ "$until" -eq 0 ] || [ "$until" -gt "$oldest" ] ||
			echo "no kernel of vm/kernels is older than $until: $pattern"
	done <"$tmp/rows"
}
point "each deviation is of a point and of a kernel" silent deviations
tap_end
