#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Each rule of the administrator's page has a test: a point in a program of the
# virtual machine whose name begins with the rule's number, alone or in a list
# ("4, 8, 10: ..."). The programs are in vm/tests. TAP on standard output.
#
# Usage: vm/rules.sh
set -u
cd "$(dirname "$0")/.." || exit 1
page=Documentation/admin-guide/LSM/utf8val.rst
count=0
status=0
rules=$(sed -n 's/^\([0-9]*\)\. .*/\1/p' "$page")
for rule in $rules; do
	count=$((count + 1))
	[ "$rule" -eq "$count" ] ||
		echo "Bail out! rule $rule stands where $count should"
	list="([0-9]+, )*$rule(, [0-9]+)*"
	files=$(grep -lE "\"$list: |[?:] \"$list\"" vm/tests/*.c |
		sed 's:.*/::' | tr '\n' ' ')
	if [ -n "$files" ]; then
		echo "ok $count - rule $rule: $files"
	else
		echo "not ok $count - rule $rule has no test"
		status=1
	fi
done
echo "1..$count"
exit $status
