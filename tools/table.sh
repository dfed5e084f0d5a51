#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Print columns of one of the project's tables, such as vm/kernels. A table is a
# file of words in columns: "#: NAME NAME ..." names the columns, a row begins with
# the row's own name, and other lines that begin with # are comments.
#
# Usage: tools/table.sh FILE COLUMN[,COLUMN...] [ROW]
#   ROW  only the row of that name; without ROW all rows, in the table's order
# A word "-" means that the row has nothing there, and is printed as it stands.
#
# Exit status: 0, 1 when the table has no such row, 2 when it has no such column, or a
# row that has not a word for each.
set -eu
[ $# -eq 2 ] || [ $# -eq 3 ] || {
	echo "usage: tools/table.sh FILE COLUMN[,COLUMN...] [ROW]" >&2
	exit 2
}
[ -r "$1" ] || { echo "table: $1 cannot be read" >&2; exit 2; }
# The row is given in the environment, because awk takes a backslash in -v for an escape.
table_row=${3-} exec awk -v columns="$2" -v table="$1" -v given=$(($# - 2)) '
function fail(status, text) {
	print "table: " table " has no " text | "cat >&2"
	failed = status
	exit status
}
BEGIN { count = split(columns, column, ","); row = ENVIRON["table_row"] }
$1 == "#:" {
	width = NF - 1
	for (i = 2; i <= NF; i++)
		place[$i] = i - 1
	for (i = 1; i <= count; i++)
		if (!(column[i] in place))
			fail(2, "column " column[i])
}
/^#/ || NF == 0 { next }
NF != width { fail(2, "word for each column in row " $1) }
{ rows = rows " " $1 }
# Rows are compared as text: as numbers, 6.1 and 6.10 would be one.
!given || $1 "" == row "" {
	line = $place[column[1]]
	for (i = 2; i <= count; i++)
		line = line " " $place[column[i]]
	print line
	found = 1
}
END {
	if (!failed && given && !found)
		fail(1, row ", but:" rows)
	exit failed
}' "$1"
