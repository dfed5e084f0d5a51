#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Put the project into a private copy of a kernel source tree, as
# security/utf8val/ with the few lines that Kconfig, Makefile and lsm_count.h
# need. The tree it comes from is never changed. Run again, it brings the
# project's files up to date and leaves the times of unchanged ones alone, so
# that a build redoes only what it must.
#
# Usage: tools/kernel-tree.sh SOURCE DEST
#        tools/kernel-tree.sh --files    list the project's files that go there
#   SOURCE  a kernel tree, or a tar archive of one (linux-source-6.12.tar.xz)
#   DEST    a directory of its own, made if need be
set -eu
export LC_ALL=C

fail() {
	echo "kernel-tree: $*" >&2
	exit 1
}

project=$(cd "$(dirname "$0")/.." && pwd)

# the kernel's share of the project, symbolic links included
files() (
	cd "$project"
	find Kbuild Kconfig utf8val.c utf8val.h engine kernel kunit tests \
		\( -name Kbuild -o -name Kconfig -o -name .kunitconfig \
		-o -name '*.[ch]' \) ! -type d \
		\( ! -path 'tests/*' -o -name 'checks.[ch]' -o -name 'oracle.[ch]' -o -name 'vectors.c' \) \
		! -path 'kunit/selftest/*' ! -name '*.mod.c' |
		sort
)

if [ "${1-}" = --files ]; then
	files
	exit 0
fi
[ $# -eq 2 ] || { echo "usage: tools/kernel-tree.sh SOURCE DEST" >&2; exit 2; }
source=$1
dest=$2

# insert FILE PATTERN TEXT: TEXT behind the first line that matches, unless the
# file has TEXT's first line already
insert() {
	grep -qF "${3%%\\n*}" "$1" && return
	grep -q "$2" "$1" ||
		fail "$1 has no line like '$2'; is this kernel too new or too old?"
	# a new file: hard links to the tree it came from are cut here
	awk -v pattern="$2" -v text="$3" '
		{ print }
		!done && $0 ~ pattern { print text; done = 1 }' "$1" >"$1.new"
	mv "$1.new" "$1"
}

# shellcheck disable=SC1003,SC2016 # make's variables, not the shell's
edit_tree() {
	insert security/Kconfig '^source "security/landlock/Kconfig"' \
		'source "security/utf8val/Kconfig"'
	insert security/Makefile 'CONFIG_SECURITY_LANDLOCK' \
		'obj-$(CONFIG_UTF8VAL)			+= utf8val/'
	# in the list of modules that are started, ahead of SELinux and Smack
	if ! grep -q 'default "landlock,utf8val,' security/Kconfig; then
		sed 's/default "landlock,/&utf8val,/' security/Kconfig \
			>security/Kconfig.new
		mv security/Kconfig.new security/Kconfig
	fi
	# two pages of documentation; "make htmldocs" in the tree reads them
	insert Documentation/admin-guide/LSM/index.rst '^   Yama' '   utf8val'
	insert Documentation/filesystems/index.rst '^   fsverity' '   utf8val'
	# since 6.12 there is a slot for each module that can be built in
	[ -f include/linux/lsm_count.h ] || return 0
	insert include/linux/lsm_count.h 'LANDLOCK_ENABLED	' \
		'		UTF8VAL_ENABLED		\'
	insert include/linux/lsm_count.h '#include <linux/args.h>' \
		'#if IS_ENABLED(CONFIG_SECURITY_UTF8VAL)\n#define UTF8VAL_ENABLED 1,\n#else\n#define UTF8VAL_ENABLED\n#endif'
}

if [ ! -f "$dest/.utf8val-complete" ]; then
	if [ -d "$source" ]; then
		[ -f "$source/security/Kconfig" ] ||
			fail "$source is no kernel source tree"
		[ ! -f "$source/.config" ] ||
			fail "$source has been built in place; run 'make mrproper' in a copy of it"
	elif [ ! -f "$source" ]; then
		fail "$source: no such file or directory"
	fi
	rm -rf "$dest.new"
	mkdir -p "$dest.new"
	if [ -d "$source" ]; then
		echo "kernel-tree: copying $source (seconds)" >&2
		cp -al "$source/." "$dest.new" 2>/dev/null ||
			cp -a "$source/." "$dest.new"
	else
		echo "kernel-tree: unpacking $source (usually 20 s)" >&2
		tar -xf "$source" -C "$dest.new" --strip-components=1
	fi
	touch "$dest.new/.utf8val-complete"
	rm -rf "$dest"
	mv "$dest.new" "$dest"
fi

cd "$dest"
dest=$PWD
edit_tree
mkdir -p security/utf8val
# by content, not by time; what the project no longer has goes, too
files >"$dest/.utf8val-files"
rsync -lc --files-from="$dest/.utf8val-files" "$project" security/utf8val/
(cd security/utf8val && find . ! -type d | sed 's:^\./::' | sort |
	comm -13 "$dest/.utf8val-files" - | xargs -r rm --)
rsync -cL "$project/kernel/include/linux/"*.h include/linux/
rsync -rc "$project/Documentation/" Documentation/
