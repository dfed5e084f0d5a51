#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The source archive: the same bytes whoever makes it, and all that is needed. TAP
# on standard output.
#
# Usage: tests/dist.sh WORK
set -u
[ $# -eq 1 ] || { echo "usage: tests/dist.sh WORK" >&2; exit 2; }
cd "$(dirname "$0")/.." || exit 1
. tests/lib/tap.sh
work=$(realpath "$1")
rm -rf "$work"
mkdir -p "$work/there"
archive=$(tools/dist.sh "$work/first")

# as somebody else makes it out of the archive, without git's records
there() (
	umask 077
	cd "$work/there" && tar -xf "$archive" --strip-components=1 &&
		mkdir -p .cache && touch build.o .cache/kernel && TZ=Asia/Kathmandu LC_ALL=C \
		GIT_CEILING_DIRECTORIES=$work tools/dist.sh "$work/second" &&
		cmp "$archive" "$work/second/${archive##*/}"
)

all_there() {
	tools/files.sh | tr '\0' '\n' | sort >"$tmp/ours"
	tar -tf "$archive" | sed 's:^[^/]*/::' | sort >"$tmp/theirs"
	diff "$tmp/ours" "$tmp/theirs"
}

# goal GOAL...: made there
goal() {
	GIT_CEILING_DIRECTORIES=$work DEPS=no make -s -C "$work/there" "$@"
}

point "it is named after the version" test "${archive##*/}" = \
	"utf8val-$(sed -n 's/.*UTF8VAL_VERSION "\(.*\)"/\1/p' utf8val.h).tar.xz"
point "all files are in it" all_there
point "out of it comes the same archive, byte for byte" there
point "the command and the library are built from it" goal tools
point "the examples are" goal examples
tap_end
