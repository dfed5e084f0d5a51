#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2013,SC2317,SC2046 # lists of words; point calls the functions
# The series that brings the project into a kernel (tools/patches.py): git am takes
# it and makes the very tree whose kernel the virtual machines boot, and the
# kernel's own checkpatch has no complaint. TAP on standard output.
#
# Usage: vm/patches.sh [--steps] VERSION
#   --steps  each patch, the extras' too, builds with no warning: the objects of what
#            it changes, security.c and what there is of security/utf8val/
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

# git for $files, without the settings of whoever calls this script
printf '[user]\nname = test\nemail = test\n' >"$tmp/config"
git() {
	GIT_DIR=$tmp/git GIT_WORK_TREE=$files GIT_CONFIG_NOSYSTEM=1 \
		GIT_CONFIG_GLOBAL=$tmp/config command git "$@"
}

# The series applies to the original versions of the files that it changes, and needs no
# other file; neither do the extras, whose files the tree has as they were.
applies() {
	mkdir "$work" && git init -q && rsync -r "$tree/.utf8val-original/" "$work/" &&
		sed -n 's:^--- a/::p' "$series"/extras/* |
		rsync --ignore-existing --files-from=- "$tree/" "$work/" &&
		git add -Af && git commit -q -m base && git tag base &&
		git am -q $(sed "s:^:$series/:" "$series/series") && git tag built &&
		git am -q "$series"/extras/*.patch && git tag all
}

# the applied series has each file that the kernel's build has, with the same
# bytes but for the maintainer's name, and no other file
is_what_boots() {
	git diff --no-renames --diff-filter=A --name-only base built |
		diff - "$tree/.utf8val-added" &&
		! git --work-tree="$tree" diff -I"^M:	$author$" \
			-I'^M:	utf8val <' built | grep .
}

# each patch and letter is from the sender, each patch is signed, and nobody else is named
is_signed() {
	grep -qxF "M:	$author" "$work/MAINTAINERS" && ! {
		grep -rLxF "From: $author" "$series" --include='*.patch' \
			--include=cover-letter.txt
		grep -rLxF "Signed-off-by: $author" "$series" --include='*.patch'
		grep -rnF utf8val@ "$series"; } | grep .
}

# what maintainers have to read of the option's series: at most 1,500 lines but tests
is_short() {
	awk '/^ +[0-9]+  [A-Za-z]/ && !/tests\// { sum += $1 }
		END { print sum " lines"; exit !sum || sum > 1500 }' "$series/cover-letter.txt"
}

in_form() {
	! grep -rnE '/\*@|//@|\bu?int(8|16|32|64)_t\b|__KERNEL__|__cplusplus|'\
'LINUX_VERSION_CODE|EXPORT_SYMBOL|UTF8VAL_VERSION|KBUILD_EXTMOD' \
		"$work/security/utf8val" "$work/include/linux"/utf8val*
}

# each function that a header declares has a user besides the file that has the
# function, and each that a test's header declares is there
has_users() {
	cd "$work/security/utf8val" || return
	declared='s/^[a-z].*[ *]\([a-z0-9_]*\)(.*/\1/p'
	for name in $(sed -n "$declared" ../../include/linux/utf8val.h ./*.h); do
		[ "$(grep -lw "$name" ./*.c | wc -l)" -gt 1 ] || echo "nobody calls $name"
	done
	for name in $(sed -n "$declared" tests/*.h); do
		grep -qw "$name" tests/*.c || echo "there is no $name"
	done
}

# the pages, Kconfig, the list of parameters and a commit message name each parameter and
# the attribute, the kernel's own reader of ABI files takes ours, and where modules have
# numbers, the test of lsm_list_modules(2) knows ours
is_documented() {
	cd "$work" && git log --format=%B built >"$tmp/messages" || return
	for name in $(sed -n 's/^module_param_[a-z]*(\([a-z]*\),.*/utf8val.\1=/p' \
			security/utf8val/*.c) security.utf8val; do
		grep -LF "$name" Documentation/admin-guide/LSM/utf8val.rst "$tmp/messages" \
			Documentation/admin-guide/kernel-parameters.txt \
			security/utf8val/Kconfig | sed "s/$/ does not name $name/"
	done
	[ ! -e include/uapi/linux/lsm.h ] || grep -qF 'case LSM_ID_UTF8VAL:' \
		tools/testing/selftests/lsm/*.c || echo "selftests/lsm lack LSM_ID_UTF8VAL"
	"$(ls "$tree/scripts/get_abi.pl" "$tree/tools/docs/get_abi.py" 2>"$tmp/no")" \
		--dir Documentation/ABI/testing validate
}

# MAINTAINERS says who maintains each new file
is_maintained() {
	sed -n '/^UTF8VAL/,/^$/s/^F:	//p' "$work/MAINTAINERS" |
		sed 's:/$:/.*:' >"$tmp/maintained"
	! git diff --no-renames --diff-filter=A --name-only base all |
		grep -vxf "$tmp/maintained"
}

# FILE_PATH_CHANGES is ignored, because MAINTAINERS, which names the directories of the
# new files, comes last in the series. Complaints about trace.h are dropped, as a trace
# header is C only after include/trace has had its macros, and those about lists of modes,
# operations, reasons and rows, as these macros end in no value.
checkpatch() {
	(cd "$tree" && scripts/checkpatch.pl --strict --terse --show-types \
		--showfile --ignore FILE_PATH_CHANGES "$@") >"$tmp/said"
	# 1: it has complaints; more: it could not run, or not read a patch
	[ $? -le 1 ] || echo "checkpatch has not read all $# patches" >>"$tmp/said"
	! grep -v -e '^total: ' -e 'security/utf8val/trace\.h:' -e \
		'/\(linux/utf8val\.h\|core\.c\|fast_rows\.h\|modes\.h\):.*\(COMPLEX_MACRO\|MACRO_ARG\)' \
		<"$tmp/said"
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
		[ ! -e "$files/security/utf8val" ]
}

# powerpc's objects cannot be made for this processor
builds() {
	git checkout -qf "$1" && make_it allnoconfig &&
		silent make_it security/security.o \
		$(git ls-files security/utf8val | sed -n '1s:/[^/]*$:/:p') \
		$(git diff --name-only "$1^" "$1" -- '*.c' ':!security' ':!tools' \
			':!arch/powerpc' | sed 's/c$/o/')
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
	git log --reverse --format='%H %s' base..all >"$tmp/commits"
	while read -r commit subject; do
		point "$version: $subject: builds" builds "$commit"
	done <"$tmp/commits"
	tap_end
	exit
fi
point "$version: it makes the tree that is built and booted" is_what_boots
point "$version: it is its sender's" is_signed
point "$version: the option's series is short" is_short
point "$version: without what only others than this kernel need" in_form
point "$version: no function without a user" silent has_users
point "$version: pages and commit messages name what user space relies on" \
	silent is_documented
point "$version: MAINTAINERS has each new file" is_maintained
point "$version: checkpatch --strict" checkpatch $(find "$series" -name '*.patch')
tap_end
