#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Make sure that the Debian packages the project needs are installed: at once
# when they are, with apt-get as root or through sudo otherwise; without either,
# print the line to run and stop.
#
# Usage: tools/deps.sh [--list] [bench]
#   bench    what only the benchmark needs, instead
set -eu

# lines of the list without a word and a colon in front, or with that word
packages() {
	sed -e 's/#.*//' -e "${1:+/^$1:/!d}" -e "${1:+s/$1://}" -e '/:/d' \
		"$(dirname "$0")/packages" | xargs -n1 | sort -u
}

list=
if [ "${1-}" = --list ]; then
	list=yes
	shift
fi
if [ $# -gt 1 ] || [ "${1-bench}" != bench ]; then
	echo "usage: tools/deps.sh [--list] [bench]" >&2
	exit 2
fi
if [ "$list" ]; then
	packages "${1-}"
	exit 0
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	echo "deps: this is no Debian system; install by hand what tools/packages lists" >&2
	exit 1
fi
missing=
for name in $(packages "${1-}"); do
	state=$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) || state=
	[ "$state" = installed ] || missing="$missing $name"
done
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
	as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
	as_root=sudo
else
	echo "deps: packages are missing; as root, run:" >&2
	echo "  apt-get update && $install" >&2
	exit 1
fi
echo "deps: installing (a few minutes on a fresh machine):$missing" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get -qq update
# shellcheck disable=SC2086 # a list of words
if ! $as_root apt-get -qq install -y --no-install-recommends $missing >&2; then
	echo "deps: apt-get failed; its own message stands above. Nothing else was done." >&2
	exit 1
fi
