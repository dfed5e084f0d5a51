#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2013,SC2317,SC2046 # lists of words; point calls the functions
# The series that brings the project into a kernel (tools/patches.py): git am takes
# it and makes the very tree whose kernel the virtual machines boot, each new file is the
# project's, byte for byte, and the kernel's own checkpatch has no complaint. TAP on
# standard output.
#
# Usage: vm/patches.sh [--steps] VERSION
#   --steps  each patch builds with no warning at W=1: the objects of what it changes
set -u
steps=
[ "${1-}" != --steps ] || { steps=yes; shift; }
[ $# -eq 1 ] || { echo "usage: vm/patches.sh [--steps] VERSION" >&2; exit 2; }
version=$1
cd "$(dirname "$0")/.." || exit 1
build=$(vm/kernel.sh "$version") || exit 1
tree=$(readlink -f "$build/source")
. tests/lib/tap.sh
series=$tmp/series
work=$tmp/work
files=$work
author='A. Sender <sender@example.org>'

# git for $files, without the settings of this script's caller
printf '[user]\nname = test\nemail = test\n' >"$tmp/config"
git() {
	GIT_DIR=$tmp/git GIT_WORK_TREE=$files GIT_CONFIG_NOSYSTEM=1 \
		GIT_CONFIG_GLOBAL=$tmp/config command git "$@"
}

# The series applies to the original versions of the files that it changes, and needs no
# other file.
applies() {
	mkdir "$work" && git init -q && rsync -r "$tree/.utf8val-original/" "$work/" &&
		git add -Af && git commit -q -m base && git tag base &&
		git am -q $(sed "s:^:$series/:" "$series/series") && git tag built
}

# the applied series has each file that the kernel's build has, with the same
# bytes except for the maintainer's name, and no other file
is_what_boots() {
	git diff --no-renames --diff-filter=A --name-only base built |
		diff - "$tree/.utf8val-added" &&
		! git --work-tree="$tree" diff -I"^M:	$author$" \
			-I'^M:	utf8val <' built | grep .
}

# Each new file in the tree is one of the project's, byte for byte.
is_ours() {
	sed -n 's/^\([^ ]*\): \(.*\)$/\1 \2/p' kernel/patches/common/*.patch |
		grep '^[^ ]*/' >"$tmp/places"
	while read -r place names; do
		for name in $names; do
			case $place in
			*/) new=$place$(basename "$name") ;;
			*) new=$place ;;
			esac
			[ -f "$name" ] || continue
			cmp "$name" "$work/$new" && echo "$new" >>"$tmp/ours"
		done
	done <"$tmp/places"
	git diff --no-renames --diff-filter=A --name-only base built | sort >"$tmp/new"
	sort -u "$tmp/ours" | diff - "$tmp/new"
}

# each patch and letter is from the sender, each patch is signed, and nobody else is named
is_signed() {
	grep -qxF "M:	$author" "$work/MAINTAINERS" && ! {
		grep -rLxF "From: $author" "$series" --include='*.patch' \
			--include=cover-letter.txt
		grep -rLxF "Signed-off-by: $author" "$series" --include='*.patch'
		grep -rnF utf8val@ "$series"; } | grep .
}

# The kernel accepts the option when all that it promises is there: the patches after the
# one whose kernel parses it have tests only.
is_accepted_last() {
	parses=$(git log --reverse --format=%H -S'utf8val_parse_param(fc' base..built \
		-- fs/fs_context.c | head -n 1)
	[ "$parses" ] &&
		! git diff --name-only "$parses" built | grep -v '^tools/testing/'
}

# Maintainers have to read what is added to existing C files: few lines.
is_short() {
	added=$(git diff --no-renames --diff-filter=M base built -- '*.[ch]' |
		grep -c '^+[^+]')
	echo "# $added lines added to existing C files"
	[ "$added" -gt 0 ] && [ "$added" -le 80 ]
}

in_form() {
	! grep -rnE '/\*@|//@|\bu?int(8|16|32|64)_t\b|__KERNEL__|__cplusplus|guard|'\
'LINUX_VERSION_CODE|UTF8VAL_VERSION|KBUILD_EXTMOD|tools/gen|engine/' \
		$(git diff --no-renames --diff-filter=A --name-only base built |
			sed "s:^:$work/:" | grep '\.[ch]$\|\.rst$') | grep -v 'ifndef _LINUX'
}

# each function that a header declares has a user besides the header, or is called by
# another of the header's own
has_users() {
	declared='s/^[a-z].*[ *]\([a-z0-9_]*\)(.*/\1/p'
	for name in $(sed -n "$declared" "$work"/include/linux/*utf8val.h); do
		grep -rlw "$name" "$work" --include=*.[ch] |
			grep -qv 'utf8val\.h$\|/tests/' ||
			grep -qh "^	.*\<$name(" "$work"/include/linux/*utf8val.h ||
			echo "nobody calls $name"
	done
}

# MAINTAINERS says who maintains each new file
is_maintained() {
	sed -n '/^UTF8VAL/,/^$/s/^F:	//p' "$work/MAINTAINERS" |
		sed 's:/$:/.*:; s:\*$:.*:' >"$tmp/maintained"
	! git diff --no-renames --diff-filter=A --name-only base built |
		grep -vxf "$tmp/maintained" | grep .
}

# FILE_PATH_CHANGES is ignored, because the first patch has the lines of MAINTAINERS for all
# new files.
checkpatch() {
	(cd "$tree" && scripts/checkpatch.pl --strict --terse --show-types \
		--showfile --ignore FILE_PATH_CHANGES "$@") >"$tmp/said"
	# 1: it has complaints; more: it could not run, or not read a patch
	[ $? -le 1 ] || echo "checkpatch has not read all $# patches" >>"$tmp/said"
	! grep -v '^total: ' "$tmp/said"
}

make_it() {
	make -s -C "$files" ARCH=x86_64 O="$objects" -j"$(nproc)" \
		KCONFIG_ALLCONFIG="$objects/asked" "$@"
}

# a tree of its own without the series, whose files are links to the other's until git
# replaces them
is_copied() {
	rsync -a --delete --link-dest="$tree" "$tree/" "$files" &&
		git read-tree built && git checkout -qf base &&
		[ ! -e "$files/fs/utf8val.c" ]
}

# Every object of what the patch changes, and of the VFS. FS_UTF8VAL has no prompt
# before the last patches, so it is switched on in its Kconfig.
builds() {
	git checkout -qf "$1" &&
		sed -i '/^config FS_UTF8VAL$/,/^$/s/^	bool$/	def_bool y/' \
			"$files/fs/Kconfig" && make_it allnoconfig &&
		silent make_it W=1 $({ git diff --name-only "$1^" "$1" -- '*.c' ':!tools'
			printf 'fs/%s.c\n' namei super namespace fs_context; } |
			sed 's/c$/o/' | sort -u)
}

point "$version: a series is made" \
	tools/patches.py --author "$author" "$version" "$series"
point "$version: git am takes it" applies
if [ "$steps" ]; then
	files=$tree-steps
	exec 9>"$files.lock"
	flock 9
	objects=${tree%/tree/*}/build/steps-$version
	mkdir -p "$objects"
	cat kunit/.kunitconfig vm/configs/base.config vm/configs/std.config \
		vm/configs/full.config vm/configs/steps.config >"$objects/asked"
	point "$version: the tree is as it was" is_copied
	git log --reverse --format='%H %s' base..built >"$tmp/commits"
	while read -r commit subject; do
		point "$version: $subject: builds" builds "$commit"
	done <"$tmp/commits"
	tap_end
	exit
fi
point "$version: it makes the tree that is built and booted" is_what_boots
point "$version: each new file is the project's, byte for byte" is_ours
point "$version: it is its sender's" is_signed
point "$version: no patch but the last to fs/ has the option accepted" is_accepted_last
point "$version: existing files change little" is_short
point "$version: without what only others than this kernel need" in_form
point "$version: no function without a user" silent has_users
point "$version: MAINTAINERS has each new file" is_maintained
point "$version: checkpatch --strict" checkpatch $(find "$series" -name '*.patch')
tap_end
