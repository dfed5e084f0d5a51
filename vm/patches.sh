#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317,SC2046 # point calls the functions; a list of files
# The series that brings the project into a kernel (tools/patches.py): git am
# takes it, it changes what tools/kernel-tree.sh changes, the core's code is the
# same, and the kernel's own checkpatch has no complaint. vm/steps.sh builds it.
# TAP on standard output.
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
author='A. Sender <sender@example.org>'

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

# but for who maintains it
changes_the_same() {
	(cd "$tree/.utf8val-original" && find . -type f) >"$tmp/changed"
	while read -r file; do
		sed "s/^M:	utf8val <.*/M:	$author/" "$tree/$file" |
			cmp - "$work/$file" || return 1
	done <"$tmp/changed"
}

adds_all() {
	tools/kernel-tree.sh --files >"$tmp/files"
	while read -r file; do
		there=$(tools/kernel_form.py --place "$file") || return
		[ -z "$there" ] || [ -f "$work/$there" ] || {
			echo "$file is not there as $there"
			return 1
		}
	done <"$tmp/files"
}

is_signed() {
	for patch in "$series"/*.patch; do
		for line in "From: $author" "Signed-off-by: $author"; do
			grep -qxF "$line" "$patch" || {
				echo "$patch does not say $line"
				return 1
			}
		done
	done
	grep -qxF "From: $author" "$series/cover-letter.txt" &&
		grep -qxF "M:	$author" "$work/MAINTAINERS" &&
		! grep -rnF utf8val@ "$series"
}

# nobody signs what nobody sends
is_unsigned() {
	tools/patches.py "$version" "$tmp/unsigned" &&
		! grep -rn '^Signed-off-by' "$tmp/unsigned" &&
		ends 1 "--author" tools/patches.py --author nobody "$version" \
		"$tmp/other" && [ ! -e "$tmp/other" ]
}

# the core, in the kernel's form, compiles to the same as it stands here: with
# the types that its header takes from the kernel, and the same engine
same_code() {
	mkdir -p "$tmp/types/linux"
	tools/kernel_form.py --prelude >"$tmp/types/linux/types.h"
	touch "$tmp/types/linux/build_bug.h" "$tmp/types/linux/kernel.h"
	for bits in 64 32; do
		set -- gcc -std=gnu11 -S -m$bits -I"$tmp/types" -o -
		[ $bits -eq 32 ] || set -- "$@" -DCONFIG_64BIT
		for level in -O0 -O2; do
			"$@" $level utf8val.c | grep -v '\.file' >"$tmp/here" &&
			"$@" $level -I"$work/include" \
				"$work/security/utf8val/core.c" |
				grep -v '\.file' >"$tmp/there" &&
			grep -q utf8val_valid "$tmp/here" &&
			cmp "$tmp/here" "$tmp/there" || return
		done
	done
}

in_form() {
	compat=$(sed -n 's/^#define \(UTF8VAL_[A-Z_]*[A-GI-Z]\)\b.*/\\b\1\\b/p' \
		kernel/compat.h | paste -sd '|')
	[ -f "$work/security/utf8val/core.c" ] &&
	! grep -rnE '/\*@|//@|\bu?int(8|16|32|64)_t\b|__KERNEL__|__cplusplus|'\
'LINUX_VERSION_CODE|EXPORT_SYMBOL|UTF8VAL_VERSION|KBUILD_EXTMOD' \
		"$work/security/utf8val" "$work/include/linux"/utf8val* &&
	! grep -rnE "$compat" "$work/security/utf8val"
}

# MAINTAINERS comes last, and names the directories that new files are in. A
# trace header is C only after include/trace has had its macros.
checkpatch() {
	(cd "$tree" && scripts/checkpatch.pl --strict --terse --no-summary \
		--show-types --showfile --ignore FILE_PATH_CHANGES "$@") |
		grep -v 'security/utf8val/trace\.h:' >"$tmp/checkpatch"
	! grep . "$tmp/checkpatch"
}

point "$version: a series is made" \
	tools/patches.py --author "$author" "$version" "$series"
point "$version: git am takes it" applies
point "$version: it changes what kernel-tree.sh changes" changes_the_same
point "$version: each file of the project has its place" adds_all
point "$version: it is its sender's" is_signed
point "$version: without a sender nobody signs it" is_unsigned
point "$version: without what only others than this kernel need" in_form
point "$version: the core compiles to the same" same_code
point "$version: checkpatch --strict" checkpatch "$series"/*.patch
tap_end
