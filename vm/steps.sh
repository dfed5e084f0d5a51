#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317 # point calls the functions
# The series of tools/patches.py builds after each of its patches: the objects of
# what the patch changes, security.c and what there is of security/utf8val/, with
# no warning. In the end that directory's code is what the project's own files
# compile to. The sketch that goes with it compiles, too, on the kernel that it is
# for. TAP on standard output.
#
# Usage: vm/steps.sh VERSION
set -u
[ $# -eq 1 ] || { echo "usage: vm/steps.sh VERSION" >&2; exit 2; }
version=$1
cd "$(dirname "$0")/.." || exit 1
tree=$(vm/kernel.sh --tree steps "$version") || exit 1
project=$PWD
. tests/lib/tap.sh
series=$tmp/series
build=${tree%/tree/*}/build/steps-$version
mkdir -p "$build"
exec 9>"$tree.lock"
flock 9

configs="kunit/.kunitconfig vm/configs/base.config vm/configs/std.config \
	vm/configs/full.config vm/configs/steps.config"
# shellcheck disable=SC2086 # a list of files
cat $configs >"$build/asked"

make_it() {
	make -s -C "$tree" ARCH=x86_64 O="$build" -j"$(nproc)" "$@"
}

configure() {
	make_it KCONFIG_ALLCONFIG="$build/asked" allnoconfig >"$tmp/log" 2>&1 || {
		tail -n 5 "$tmp/log"
		return 1
	}
}

# as it was before kernel-tree.sh
restore() {
	rm -rf "$tree/security/utf8val" \
		"$tree/tools/testing/selftests/utf8val" &&
	sed -n 's:^rename to ::p; /^new file/{n;n;n;s:^+++ b/::p}' \
		"$series"/*.patch | (cd "$tree" && xargs rm -f --) &&
	rsync -rpc "$tree/.utf8val-original/" "$tree/"
}

# $1 a patch; prints the objects that are made of what it changes. powerpc's
# cannot be made for this processor.
objects() {
	echo security/security.o
	[ ! -d "$tree/security/utf8val" ] || echo security/utf8val/
	sed -n 's:^+++ b/\(.*\)\.c$:\1.o:p' "$1" |
		grep -v '^security/\|^arch/powerpc/\|^tools/'
}

# shellcheck disable=SC2046 # a list of words
step() {
	patch -d "$tree" -p1 -s -f --no-backup-if-mismatch <"$1" &&
	configure && silent make_it $(objects "$1") || return
	[ ! -d "$tree/tools/testing/selftests/utf8val" ] ||
		silent gcc -Wall -O2 -o "$build/selftest" \
		"$tree/tools/testing/selftests/utf8val/utf8val_test.c"
}

# on top of the whole series; a rename, a remount and /proc/mounts are its places
sketch() {
	echo CONFIG_UTF8NAMES=y >>"$build/asked"
	patch -d "$tree" -p1 -s -f --no-backup-if-mismatch \
		<"$series/sketch-vfs-flag.txt" &&
	configure && grep -qx CONFIG_UTF8NAMES=y "$build/.config" &&
	silent make_it fs/namei.o fs/fs_context.o fs/proc_namespace.o
	status=$?
	sed -i '$d' "$build/asked"
	patch -d "$tree" -p1 -s -f -R --no-backup-if-mismatch \
		<"$series/sketch-vfs-flag.txt" && return $status
}

# $1 an object; its instructions, what they refer to, and its constants
code() {
	objdump -dr -j .text --no-show-raw-insn "$1" | sed 1,3d
	objdump -s -j .rodata "$1" 2>/dev/null | sed 1,3d
}

same_code() {
	mkdir "$tmp/series-objects" &&
	cp "$build"/security/utf8val/*.o "$tmp/series-objects/" &&
	flock -u 9 && vm/kernel.sh --tree steps "$version" >/dev/null &&
	flock 9 && configure && make_it security/utf8val/ || return
	while read -r mine theirs; do
		code "$tmp/series-objects/$mine.o" >"$tmp/mine"
		code "$build/security/utf8val/kernel/$theirs.o" >"$tmp/theirs"
		grep -q ret "$tmp/mine" && diff -u "$tmp/theirs" "$tmp/mine" ||
			return 1
	done <<-END
		core core
		qstr module
		names lsm/names
		options lsm/options
		report lsm/report
		superblock lsm/superblock
	END
}

point "$version: a series is made" tools/patches.py "$version" "$series"
point "$version: the tree is as it was" restore
prepare() {
	configure && make_it prepare
}
point "$version: the tree can be prepared" prepare
for patch in "$series"/*.patch; do
	name=${patch##*/}
	point "$version: ${name%.patch}: builds" step "$patch"
done
cd "$project" || exit 1
if [ "$version" = 7.3 ]; then
	point "$version: the sketch of a flag in the VFS compiles" sketch
fi
point "$version: the same code as without the series" same_code
tap_end
