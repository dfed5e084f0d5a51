#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Debian's own kernel, unpacked from its package into the cache, not installed;
# prints the directory that has vmlinuz and config. Its version is the one that
# linux-headers-amd64 belongs to, so that modules built with those load in it.
#
# Usage: vm/stock_kernel.sh [--headers]
#   --headers  print the directory to build modules with instead
set -eu
fail() {
	echo "stock: $*" >&2
	exit 1
}

headers=$(dpkg-query -W -f '${Depends}' linux-headers-amd64 2>/dev/null |
	sed -n 's/^linux-headers-\([^ ,]*\).*/\1/p')
[ -n "$headers" ] ||
	fail "linux-headers-amd64 is not installed; 'make deps' does that"
if [ "${1-}" = --headers ]; then
	echo "/usr/src/linux-headers-$headers"
	exit 0
fi
version=$(dpkg-query -W -f '${Version}' "linux-headers-$headers")
dir=${XDG_CACHE_HOME:-$HOME/.cache}/utf8val/stock/$headers-$version
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
