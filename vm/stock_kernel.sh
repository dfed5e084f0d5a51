#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Unpack one of Debian's own kernels from its packages into the cache, without
# installing it, and print the directory that has vmlinuz and config.
#
# Usage: vm/stock_kernel.sh [--update] [VERSION [ARCH]]
#   VERSION  one of vm/kernels: the newest kernel of the release that has it
#            (looked up once a week, with --update now), with its modules:
#            DIRECTORY/release names them, and DIRECTORY/lib/modules/RELEASE is
#            as depmod leaves it
#   ARCH     amd64 (the default), arm64, ...
# Without VERSION it is the kernel that the installed linux-headers-amd64 belongs
# to, so that modules built with those load in it.
set -eu
trap 'exit 130' HUP INT TERM
fail() {
	echo "stock: $*" >&2
	exit 1
}

# $1: a version, $2: an architecture
with_modules() {
	# paths are separated by newlines, as they may have spaces
	IFS='
'
	known=$cache/stock/$1-$2
	if [ -z "$update" ] && [ -n "$(find "$known" -mtime -7 2>/dev/null)" ]; then
		cat "$known"
		return
	fi
	suite=$("$project/tools/table.py" "$project/vm/kernels" release "$1") ||
		fail "no Debian release is known to have Linux $1"
	unpacked=$("$project/tools/fetch.sh" \
		--follow '^linux-(image|binary|modules|base)-' \
		"$suite/$2" "linux-image-$2")
	# newer packages have all files in usr/lib/modules
	kernel=
	modules=
	for part in $unpacked; do
		for file in "$part"/boot/vmlinuz-* \
				"$part"/usr/lib/modules/*/vmlinuz; do
			[ ! -f "$file" ] || kernel=$file
		done
		for dir in "$part"/lib/modules/* "$part"/usr/lib/modules/*; do
			[ ! -d "$dir" ] || modules=$modules$IFS$dir
		done
	done
	[ -n "$kernel" ] || fail "the packages of Linux $1 have no kernel"
	release=$(basename "${modules##*"$IFS"}")
	dir=$cache/stock/$(basename "$(echo "$unpacked" | tail -n 1)")
	if [ ! -f "$dir/release" ]; then
		work=$dir.$$
		trap 'rm -rf "$work"' EXIT
		mkdir -p "$work/lib/modules/$release"
		for part in $modules; do
			# hard links, as the modules have some hundred MB
			cp -al "$part/." "$work/lib/modules/$release"
		done
		cp "$kernel" "$work/vmlinuz"
		for part in $unpacked; do
			for file in "$part/boot/config-$release" \
					"$part/usr/lib/modules/$release/config"; do
				[ ! -f "$file" ] || cp "$file" "$work/config"
			done
		done
		PATH=$PATH:/usr/sbin:/sbin depmod -b "$work" "$release" ||
			fail "depmod failed; the package kmod has it"
		echo "$release" >"$work/release"
		mv -T "$work" "$dir" 2>/dev/null || [ -f "$dir/release" ] ||
			fail "$dir cannot be made"
	fi
	# renamed into place, as others may be reading the file
	echo "$dir" >"$known.$$"
	mv "$known.$$" "$known"
	echo "$dir"
}

project=$(cd "$(dirname "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/utf8val
update=
if [ "${1-}" = --update ]; then
	update=yes
	shift
fi
if [ $# -gt 0 ]; then
	with_modules "$1" "${2-amd64}"
	exit 0
fi

headers=$("$project/vm/stock_headers.sh")
headers=${headers#/usr/src/linux-headers-}
version=$(dpkg-query -W -f '${Version}' "linux-headers-$headers")
dir=$cache/stock/$headers-$version
if [ ! -f "$dir/vmlinuz" ]; then
	echo "stock: fetching linux-image-$headers, 70 MB" >&2
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	cd "$work"
	apt-get -qq download "linux-image-$headers=$version" >&2 ||
		fail "apt-get cannot fetch linux-image-$headers $version; is its package list current (apt-get update)?"
	dpkg-deb --fsys-tarfile ./*.deb | tar -x ./boot
	mkdir -p "$dir"
	cp "boot/config-$headers" "$dir/config"
	cp "boot/vmlinuz-$headers" "$dir/vmlinuz.new"
	mv "$dir/vmlinuz.new" "$dir/vmlinuz"
fi
echo "$dir"
