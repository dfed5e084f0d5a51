#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What an object file of the core must not have, or must: prints what is wrong, and
# ends with status 1 then.
#
# Usage: freestanding/avr/object.sh ram|functions OBJECT [HEADER]
set -eu
symbols=$(nm "$2")
found=$(case $1 in
ram)	# symbols in .data, .bss and commons
	echo "$symbols" | grep -E ' [DdBbC] ' || : ;;
functions)
	has=$(echo "$symbols" | sed -n 's/.* T //p')
	wanted=$(grep -oE '\<utf8val_\w+\(.*\);|\<utf8val_\w+\([^)]*,$' "$3" |
		grep -oE '^\w+')
	for each in ${wanted:-none-found-in-the-header}; do
		echo "$has" | grep -qx "$each" || echo "$each"
	done ;;
*)	exit 2 ;;
esac)
[ -z "$found" ] || { echo "$found"; exit 1; }
