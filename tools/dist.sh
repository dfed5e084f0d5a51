#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Pack the project's files as they stand into OUT/utf8val-VERSION.tar.xz and print
# its path. Its bytes depend on the files alone: the time of each is that of the
# latest entry of debian/changelog.
#
# Usage: tools/dist.sh OUT
set -eu
# These variables change archives; and where CDPATH is set, cd may print a path.
unset XZ_OPT XZ_DEFAULTS TAR_OPTIONS CDPATH
[ $# -eq 1 ] || { echo "usage: tools/dist.sh OUT" >&2; exit 2; }
mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define UTF8VAL_VERSION "\(.*\)"/\1/p' utf8val.h)
time=$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)
seconds=$(date -d "$time" +%s)
name=utf8val-$version
archive=$out/$name.tar.xz
work=$(mktemp -d)
new=$archive.$$
trap 'rm -rf "$work" "$new"' EXIT
trap 'exit 130' HUP INT TERM
tools/files.sh | LC_ALL=C sort -z >"$work/files"
[ -s "$work/files" ] || { echo "dist: no files found" >&2; exit 1; }
# xz runs with one thread: with several, the bytes depend on their number.
tar --create --file "$work/tar" --format=ustar --hard-dereference --null --no-recursion \
	--files-from "$work/files" --transform "s:^:$name/:SH" \
	--mtime "@$seconds" --owner=0 --group=0 --numeric-owner \
	--mode=u=rwX,go=rX
xz -6 --threads=1 --stdout "$work/tar" >"$new" || {
	echo "dist: $archive could not be written" >&2
	exit 1
}
mv "$new" "$archive"
echo "$archive"
