#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317 # point() calls the functions
# Checks that read the sources and run nothing of them; TAP on standard output.
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
count=0
status=0

# point NAME COMMAND...: one TAP point, the command's output as diagnostics
point() {
	name=$1
	shift
	count=$((count + 1))
	if "$@" >"$tmp/out" 2>&1; then
		echo "ok $count - $name"
	else
		echo "not ok $count - $name"
		sed 's/^/# /' "$tmp/out"
		status=1
	fi
}

tables_current() {
	python3 tools/gen_tables.py -o "$tmp/tables.h" &&
		diff -u utf8val_tables.h "$tmp/tables.h"
}

# every file but data names its licence
spdx() {
	! git ls-files -z -- '*.c' '*.h' '*.py' '*.sh' '*.mk' '*.S' '*.ld' \
		Makefile Kbuild Kconfig '*/Kbuild' '*/Kconfig' '*/Makefile' |
		xargs -0 grep -L 'SPDX-License-Identifier: '  | grep .
}

shell_scripts() {
	git ls-files -z -- '*.sh' .ci/run | xargs -0 shellcheck
}

# freestanding COMPILER...: no symbol is left undefined
freestanding() {
	"$@" -std=gnu11 -ffreestanding -c utf8val.c -o "$tmp/core.o" &&
		! nm -u "$tmp/core.o" | grep .
}

# no libgcc either: divisions and long shifts would show here on the M0
point "generated tables are current" tables_current
point "SPDX line in every source" spdx
point "shellcheck" shell_scripts
for level in -Os -O2 -O3; do
	point "x86_64 $level: no undefined symbol" freestanding gcc "$level"
	point "Cortex-M0 $level: no undefined symbol" \
		freestanding arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb "$level"
done
echo "1..$count"
exit $status
