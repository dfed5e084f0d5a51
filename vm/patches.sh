#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317,SC2046,SC2086 # point calls the functions; lists of words
# The series that brings the project into a kernel (tools/patches.py): git am takes
# it and makes the very tree whose kernel the virtual machines boot, and the
# kernel's own checkpatch has no complaint. TAP on standard output.
#
# Usage: vm/patches.sh [--steps] VERSION
#   --steps  each patch builds with no warning: the objects of what it changes,
#            security.c and what there is of security/utf8val/; in the end the
#            extras
set -u
steps=
if [ "${1-}" = --steps ]; then
	steps=yes
	shift
fi
[ $# -eq 1 ] || { echo "usage: vm/patches.sh [--steps] VERSION" >&2; exit 2; }
version=$1
cd "$(dirname "$0")/.." || exit 1
if [ "$steps" ]; then
	tree=$(vm/kernel.sh --tree steps "$version") || exit 1
	exec 9>"$tree.lock"
	flock 9
else
	build=$(vm/kernel.sh "$version") || exit 1
	tree=$(readlink -f "$build/source")
fi
. tests/lib/tap.sh
series=$tmp/series
work=$tmp/work
author='A. Sender <sender@example.org>'

git_work() {
	git -C "$work" -c user.name=test -c user.email= -c commit.gpgsign=false \
		-c core.autocrlf=false -c core.fileMode=false "$@"
}

# the series applies to the original versions of the files that it changes, and
# needs no other file
applies() {
	mkdir "$work" && git_work -c init.defaultBranch=main init -q &&
		rsync -r "$tree/.utf8val-original/" "$work/" &&
		git_work add -Af && git_work commit -q -m base &&
		git_work am -q $listed
}

# the applied series has each file that the kernel's build has, with the same
# bytes but for the maintainer's name, and no other file
is_what_boots() {
	(cd "$work" && git_work ls-files) >"$tmp/files"
	(cd "$tree/.utf8val-original" && find . -type f | sed 's:^\./::') |
		cat - "$tree/.utf8val-added" | sort -u | diff - "$tmp/files" &&
	while read -r file; do
		sed "s/^M:	utf8val <.*/M:	$author/" "$tree/$file" |
			cmp - "$work/$file" || return 1
	done <"$tmp/files"
}

is_signed() {
	for patch in $patches; do
		for line in "From: $author" "Signed-off-by: $author"; do
			grep -qxF "$line" "$patch" || {
				echo "$patch does not say $line"
				return 1
			}
		done
	done
	for letter in "$series"/cover-letter.txt "$series"/*/cover-letter.txt; do
		grep -qxF "From: $author" "$letter" || return
	done
	grep -qxF "M:	$author" "$work/MAINTAINERS" &&
		! grep -rnF utf8val@ "$series"
}

# without a sender the patches have no Signed-off-by, and a sender without an
# address is refused
is_unsigned() {
	tools/patches.py "$version" "$tmp/unsigned" &&
		! grep -rn '^Signed-off-by' "$tmp/unsigned" &&
		ends 2 "--author" tools/patches.py --author nobody "$version" \
		"$tmp/other" && [ ! -e "$tmp/other" ]
}

# what maintainers have to read of the option's series: at most 1,500 lines but tests
is_short() {
	sed -n '/^For Linux/,/^are tests/p' "$series/cover-letter.txt" | tr '\n' ' ' |
		awk '{ print $9 - $14 " lines"; exit !($9 + 0 > 0 && $9 - $14 <= 1500) }'
}

in_form() {
	[ -f "$work/security/utf8val/core.c" ] &&
	! grep -rnE '/\*@|//@|\bu?int(8|16|32|64)_t\b|__KERNEL__|__cplusplus|'\
'LINUX_VERSION_CODE|EXPORT_SYMBOL|UTF8VAL_VERSION|KBUILD_EXTMOD' \
		"$work/security/utf8val" "$work/include/linux"/utf8val*
}

# each function that a header declares has a user besides the file that has the
# function, and each that a test's header declares is there
has_users() (
	cd "$work/security/utf8val" || exit
	declared='s/^[a-z].*[ *]\([a-z0-9_]*\)(.*/\1/p'
	sed -n "$declared" ../../include/linux/utf8val.h ./*.h | while read -r name; do
		[ "$(grep -lw "$name" ./*.c | wc -l)" -gt 1 ] || {
			echo "nobody calls $name"
			exit 1
		}
	done &&
		sed -n "$declared" tests/*.h | while read -r name; do
			grep -qw "$name" tests/*.c || {
				echo "there is no $name"
				exit 1
			}
		done
)

# the pages, Kconfig, the list of parameters and a commit message name each
# parameter and the attribute, and the kernel's own reader of ABI files takes ours
is_documented() {
	page=$work/Documentation/admin-guide/LSM/utf8val.rst
	for name in $(sed -n \
		's/^module_param_[a-z]*(\([a-z]*\),.*/utf8val.\1=/p' \
		"$work/security/utf8val"/*.c) security.utf8val; do
		for file in "$page" "$work/security/utf8val/Kconfig" \
			"$work/Documentation/admin-guide/kernel-parameters.txt"; do
			grep -qF "$name" "$file" || {
				echo "${file#"$work/"} does not name $name"
				return 1
			}
		done
		for patch in $listed; do
			sed '/^---$/q' "$patch"
		done | grep -qF "$name" || return
	done
	mkdir -p "$tmp/abi" &&
		cp "$work"/Documentation/ABI/testing/*utf8val "$tmp/abi" || return
	if [ -f "$tree/scripts/get_abi.pl" ]; then
		silent perl "$tree/scripts/get_abi.pl" validate --dir "$tmp/abi"
	else
		silent "$tree/tools/docs/get_abi.py" --dir "$tmp/abi" validate
	fi
}

# the kernel's own test of lsm_list_modules(2) knows the module's number, in
# kernels that have the test
is_listed() {
	test=tools/testing/selftests/lsm/lsm_list_modules_test.c
	if [ ! -f "$tree/$test" ]; then
		[ ! -e "$tree/include/uapi/linux/lsm.h" ]
		return
	fi
	sed -n 's/^#define \(LSM_ID_[A-Z0-9]*\)\t*[0-9].*/\1/p' \
		"$tree/include/uapi/linux/lsm.h" | grep -v UNDEF >"$tmp/ids"
	grep -q UTF8VAL "$tmp/ids" && while read -r id; do
		grep -q "case $id:" "$tree/$test" || {
			echo "$test does not know $id"
			return 1
		}
	done <"$tmp/ids"
}

# FILE_PATH_CHANGES is ignored, because MAINTAINERS, which names the directories of the
# new files, comes last in the series. Complaints about trace.h are dropped, as a trace
# header is C only after include/trace has had its macros, and those about lists of modes,
# operations, reasons and rows, as these macros end in no value.
checkpatch() {
	(cd "$tree" && scripts/checkpatch.pl --strict --terse --show-types \
		--showfile --ignore FILE_PATH_CHANGES "$@") >"$tmp/said"
	# 1: it has complaints; more: it could not run, or not read a patch
	[ $? -le 1 ] || {
		echo "checkpatch has not read all $# patches"
		return 1
	}
	grep -v -e '^total: ' -e 'security/utf8val/trace\.h:' -e \
		'/\(linux/utf8val\.h\|core\.c\|fast_rows\.h\|modes\.h\):.*\(COMPLEX_MACRO\|MACRO_ARG\)' \
		<"$tmp/said" >"$tmp/checkpatch"
	! grep . "$tmp/checkpatch"
}

make_it() {
	make -s -C "$tree" ARCH=x86_64 O="$objects" -j"$(nproc)" "$@"
}

configure() {
	make_it KCONFIG_ALLCONFIG="$objects/asked" allnoconfig >"$tmp/log" 2>&1 || {
		tail -n 5 "$tmp/log"
		return 1
	}
}

# take the series out of the tree again
restore() {
	(cd "$tree" && xargs rm -f -- <.utf8val-added &&
		xargs dirname <.utf8val-added | sort -ru |
			xargs rmdir -p --ignore-fail-on-non-empty --) 2>/dev/null
	[ ! -e "$tree/security/utf8val" ] && rsync -rpc "$tree/.utf8val-original/" "$tree/"
}

apply() {
	patch -d "$tree" -p1 -s -f --no-backup-if-mismatch <"$1"
}

# print the objects that are made of the files that a patch changes, but for
# powerpc's, which cannot be made for this processor
objects_of() {
	echo security/security.o
	[ ! -d "$tree/security/utf8val" ] || echo security/utf8val/
	sed -n 's:^+++ b/\(.*\)\.c$:\1.o:p' "$1" |
		grep -v '^security/\|^arch/powerpc/\|^tools/'
}

step() {
	apply "$1" && configure && silent make_it $(objects_of "$1") || return
	for test in "$tree"/tools/testing/selftests/utf8val/*_test.c; do
		[ ! -f "$test" ] || silent gcc -Wall -O2 \
			-o "$objects/selftest" "$test" || return
	done
}

# take the extras out of the tree
unapply() {
	printf '%s\n' "$series"/extras/*.patch | sort -r | while read -r patch; do
		patch -d "$tree" -p1 -s -f -R --no-backup-if-mismatch <"$patch" ||
			rm -f "$tree/.utf8val-unpacked"
	done
}

point "$version: a series is made" \
	tools/patches.py --author "$author" "$version" "$series"
listed=$(sed "s:^:$series/:" "$series/series")
patches="$listed $(echo "$series"/extras/*.patch)"
if [ "$steps" ]; then
	objects=${tree%/tree/*}/build/steps-$version
	mkdir -p "$objects"
	cat kunit/.kunitconfig vm/configs/base.config vm/configs/std.config \
		vm/configs/full.config vm/configs/steps.config >"$objects/asked"
	point "$version: the tree is as it was" restore
	point "$version: the tree can be configured" configure
	point "$version: the tree can be prepared" make_it prepare
	for patch in $patches; do
		name=${patch##*/}
		point "$version: ${name%.patch}: builds" step "$patch"
	done
	unapply
	tap_end
	exit
fi
point "$version: git am takes it" applies
point "$version: it makes the tree that is built and booted" is_what_boots
point "$version: it is its sender's" is_signed
point "$version: without a sender nobody signs it" is_unsigned
point "$version: the option's series is short" is_short
point "$version: without what only others than this kernel need" in_form
point "$version: no function without a user" has_users
point "$version: pages and commit messages name what user space relies on" \
	is_documented
point "$version: the test of lsm_list_modules(2) knows the module" is_listed
point "$version: checkpatch --strict" checkpatch $patches
tap_end
