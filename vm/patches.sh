#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317 # point calls the functions
# The series that brings the project into a kernel (tools/patches.py): git am
# takes it, the outcome is what tools/kernel-tree.sh makes, and the kernel's own
# checkpatch has no complaint. TAP on standard output.
#
# Usage: vm/patches.sh VERSION
set -u
[ $# -eq 1 ] || { echo "usage: vm/patches.sh VERSION" >&2; exit 2; }
version=$1
cd "$(dirname "$0")/.." || exit 1
build=$(vm/kernel.sh "$version") || exit 1
tree=$(readlink -f "$build/source")
. tests/lib/tap.sh
series=$tmp/series
work=$tmp/work

git_work() {
	git -C "$work" -c user.name=test -c user.email= -c commit.gpgsign=false \
		-c core.autocrlf=false "$@"
}

# the files that the series changes, as they were, are all that it needs
applies() {
	mkdir "$work" && git_work -c init.defaultBranch=main init -q &&
		rsync -r "$tree/.utf8val-original/" "$work/" &&
		git_work add -Af && git_work commit -q -m base &&
		git_work am -q "$series"/*.patch
}

changes_the_same() {
	(cd "$tree/.utf8val-original" && find . -type f) >"$tmp/changed"
	while read -r file; do
		cmp "$work/$file" "$tree/$file" || return 1
	done <"$tmp/changed"
}

adds_the_same() {
	(cd "$work/security/utf8val" && find . ! -type d | sed 's:^\./::' |
		sort) >"$tmp/added"
	tools/kernel-tree.sh --files | LC_ALL=C sort | diff - "$tmp/added"
}

# the core, in the kernel's form, compiles to the same as it stands here
same_object() {
	printf '#include <%s.h>\n' stdbool stddef stdint >"$tmp/types.h"
	grep -o '"[a-z0-9_]*": "[us][0-9]*"' \
		tools/patches.py |
		sed 's/"\(.*\)": "\(.*\)"/typedef \1 \2;/' >>"$tmp/types.h"
	for level in -O0 -O2; do
		gcc -std=gnu11 $level -include "$tmp/types.h" -c utf8val.c \
			-o "$tmp/here.o" &&
		(cd "$work/security/utf8val" && gcc -std=gnu11 $level \
			-include "$tmp/types.h" -c utf8val.c \
			-o "$tmp/there.o") &&
		cmp "$tmp/here.o" "$tmp/there.o" || return 1
	done
}

free_of_annotations() {
	! grep -rnE '/\*@|//@|\bu?int(8|16|32|64)_t\b' \
		"$work/security/utf8val" --include='*.[ch]'
}

# Who sends them signs them. The new files' form is what lint looks at.
checkpatch() {
	(cd "$tree" && silent scripts/checkpatch.pl --strict --terse \
		--no-summary --no-signoff "$@")
}

point "$version: a series is made" tools/patches.py "$version" "$series"
point "$version: git am takes it" applies
point "$version: it changes what kernel-tree.sh changes" changes_the_same
point "$version: it adds what kernel-tree.sh adds" adds_the_same
point "$version: without provers' comments and C99's types" free_of_annotations
point "$version: the core's object code is the same" same_object
point "$version: checkpatch --strict on what changes the kernel's files" \
	checkpatch "$PWD/kernel/patches/$version"/*.patch
tap_end
