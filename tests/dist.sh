#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The source archive: the same bytes for every user, and all that is needed. TAP
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

# Make the archive as another user does, out of the unpacked archive, without git's
# records.
there() (
	umask 077
	cd "$work/there" && tar -xf "$archive" --strip-components=1 &&
		mkdir -p .cache && touch build.o .cache/kernel && TZ=Asia/Kathmandu LC_ALL=C \
		GIT_CEILING_DIRECTORIES=$work tools/dist.sh "$work/second" &&
		cmp "$archive" "$work/second/${archive##*/}"
)

# Make the archive where it was unpacked in another repository, by a hook of that
# repository. Its settings would leave out files, fail a commit or pack otherwise.
elsewhere() (
	mkdir -p "$work/super/utf8val" "$work/home/git" &&
		cd "$work/super" && git init -q && echo own >own && git add own &&
		tar -xf "$archive" -C utf8val --strip-components=1 &&
		echo '*.patch' >"$work/home/git/ignore" &&
		printf '#!/bin/sh\nexit 1\n' >"$work/home/prepare-commit-msg" &&
		chmod +x "$work/home/prepare-commit-msg" &&
		printf '[core]\nhooksPath = %s\n' "$work/home" \
			>"$work/home/git/config" || return
	export XDG_CONFIG_HOME="$work/home" GIT_DIR="$PWD/.git" \
		GIT_INDEX_FILE="$PWD/.git/index" XZ_OPT=-e \
		TAR_OPTIONS=--xattrs CDPATH=".:$work"
	utf8val/tools/dist.sh "$work/third" &&
		cmp "$archive" "$work/third/${archive##*/}" &&
		[ "$(git diff --cached --name-only)" = own ]
)

# In a clone, git lists the files, and not the script of which the archive is made.
all_there() {
	if [ -e .git ]; then
		git -c safe.directory="$(pwd -P)" ls-files -z
	else
		tools/files.sh
	fi | tr '\0' '\n' | sort >"$tmp/ours"
	tar -tf "$archive" | sed 's:^[^/]*/::' | sort >"$tmp/theirs"
	[ -s "$tmp/ours" ] && diff "$tmp/ours" "$tmp/theirs"
}

# target TARGET...: made there
target() {
	GIT_CEILING_DIRECTORIES=$work DEPS=no make -s -C "$work/there" "$@"
}

point "it is named after the version" test "${archive##*/}" = \
	"utf8val-$(sed -n 's/.*UTF8VAL_VERSION "\(.*\)"/\1/p' utf8val.h).tar.xz"
point "all files are in it" all_there
point "out of it comes the same archive, byte for byte" there
point "and in another repository, under its hook, with its user's settings" elsewhere
# Make the archive as root in a user's directory, whose owner git does not trust;
# also as a submodule.
untrusted() (
	git clone -q . "$work/clone" && echo secret >"$work/clone/notes" || return
	env GIT_TEST_ASSUME_DIFFERENT_OWNER=1 GIT_CONFIG_GLOBAL=/dev/null \
		GIT_DIR="$work/super/.git" GIT_INDEX_FILE="$work/super/.git/index" \
		"$work/clone/tools/dist.sh" "$work/fourth" &&
		tar -tf "$work/fourth/${archive##*/}" >"$tmp/packed" &&
		grep -q '/utf8val\.c$' "$tmp/packed" && ! grep notes "$tmp/packed"
)
name="and of somebody else's clone, with what git has alone"
if [ -e .git ]; then
	point "$name" untrusted
else
	skip "$name" "this is no clone"
fi
point "the command and the library are built from it" target tools
point "the examples are" target examples
tap_end
