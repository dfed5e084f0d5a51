#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Fetch Debian packages of any release and architecture, unpack each into the cache, and
# print the directories, one a line. Nothing is installed, and the system's own apt is
# left as it is. The mirror is that of apt's sources; its lists and settings are not
# changed.
#
# Usage: tools/fetch.sh [--follow REGEX] SUITE[/ARCH] PACKAGE...
#        tools/fetch.sh --sources SUITE[/ARCH]   only print apt's sources of it
#   --follow REGEX  also the dependencies whose names match, and theirs
#   SUITE           bookworm, trixie, trixie-backports, sid, ...
#   ARCH            amd64 (the default), arm64, ...
# Lists are fetched once a day; FETCH_OFFLINE=yes takes what the cache has.
set -eu

fail() {
	echo "fetch: $*" >&2
	exit 1
}

follow=
sources=
if [ "${1-}" = --follow ] && [ $# -ge 2 ]; then
	follow=$2
	shift 2
elif [ "${1-}" = --sources ]; then
	sources=yes
	shift
	set -- "$@" none
fi
if [ $# -lt 2 ]; then
	echo "usage: tools/fetch.sh [--follow REGEX] SUITE[/ARCH] PACKAGE..." >&2
	exit 2
fi
suite=${1%/*}
arch=amd64
[ "$suite" = "$1" ] || arch=${1#*/}
shift
command -v apt-get >/dev/null ||
	fail "there is no apt-get here; this works on Debian and its descendants"

# A path that is not absolute is to be ignored; apt would look below its own directories.
case ${XDG_CACHE_HOME-} in
/*) ;;
*) XDG_CACHE_HOME= ;;
esac
cache=${XDG_CACHE_HOME:-$HOME/.cache}/utf8val/debian/$suite-$arch
mkdir -p "$cache/lists/partial" "$cache/archives/partial" "$cache/unpacked" \
	"$cache/none"
exec 9>"$cache/lock"
flock 9

# This works where no list has been fetched yet, too, as in the image of a container.
# shellcheck disable=SC2016 # apt's variable, not the shell's
uris=$(apt-get indextargets --no-release-info --format '$(REPO_URI)' \
	'Created-By: Packages')
mirror=$(echo "$uris" | grep -E '/debian/?$' | head -n 1)
security=$(echo "$uris" | grep -E '/debian-security/?$' | head -n 1)
[ -n "$mirror" ] || fail "the system's apt sources name no Debian mirror"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f "$keys" ] || fail "there is no $keys; the package debian-archive-keyring has it"
release=${suite%-backports}
{
	echo "deb [arch=$arch signed-by=$keys] $mirror $release main"
	[ "$release" = "$suite" ] ||
		echo "deb [arch=$arch signed-by=$keys] $mirror $suite main"
	[ "$release" = sid ] || [ -z "$security" ] ||
		echo "deb [arch=$arch signed-by=$keys] $security $release-security main"
} >"$cache/sources.list"
if [ "$sources" ]; then
	cat "$cache/sources.list"
	exit 0
fi
: >"$cache/status"

apt() {
	program=$1
	shift
	"$program" -q -q \
		-o APT::Architecture="$arch" -o APT::Architectures="$arch" \
		-o APT::Default-Release="/^$suite(-security)?\$/" -o APT::Sandbox::User=root \
		-o Dir::Etc::sourcelist="$cache/sources.list" \
		-o Dir::Etc::sourceparts="$cache/none" \
		-o Dir::Etc::preferences=/dev/null \
		-o Dir::Etc::preferencesparts="$cache/none" \
		-o Dir::State::lists="$cache/lists" \
		-o Dir::State::status="$cache/status" \
		-o Dir::Cache="$cache" -o Acquire::Languages=none "$@"
}

# The size of the lists of one suite, with the files that apt makes of them.
LISTS_MB=200

# $1 a package; prints its version as this suite has it. apt-cache takes a name
# that it does not know for a pattern: 6.1 would find 6.12.
candidate() {
	apt apt-cache show --no-all-versions "$1" 2>/dev/null |
		awk -v name="$1" '
			$1 == "Package:" { this = $2 == name }
			$1 == "Version:" && this { print $2; exit }'
}

if [ -z "${FETCH_OFFLINE-}" ] &&
   [ -z "$(find "$cache/updated" -mmin -1440 2>/dev/null)" ]; then
	echo "fetch: reading the lists of $suite/$arch" >&2
	lost="is there a network, and does the mirror serve them?"
	# On a full disk apt-get update would hang.
	free=$(df -Pk "$cache" | awk 'NR == 2 { print int($4 / 1024) }')
	[ "$free" -ge "$LISTS_MB" ] ||
		lost="$cache has $free MB left, they take $LISTS_MB"
	if [ "$free" -ge "$LISTS_MB" ] && apt apt-get update >&2; then
		touch "$cache/updated"
	elif [ -n "$(candidate "$1")" ]; then
		# A mirror that is being updated has one list and not the other.
		echo "fetch: going on without new lists, until an hour from now" >&2
		touch -d '23 hours ago' "$cache/updated"
	else
		fail "cannot fetch the package lists of $suite/$arch: $lost"
	fi
fi

# The answer to the same question is kept while the lists stay, because apt takes seconds.
answer=$cache/answers/$(echo "$follow $*" | sha256sum | cut -c1-16)
if [ -n "$(find "$answer" -newer "$cache/updated" 2>/dev/null)" ]; then
	complete=yes
	while read -r dir; do
		[ -d "$dir" ] || complete=
	done <"$answer"
	if [ "$complete" ]; then
		cat "$answer"
		exit 0
	fi
fi

# $1 a package; prints the names that it depends on or pre-depends on
dependencies() {
	apt apt-cache show --no-all-versions "$1" |
		sed -n 's/^\(Pre-\)\?Depends: //p' | sed 's/[,|]/\n/g' |
		sed 's/^ *//; s/[ :(].*//'
}

# $1 a package; fetches and unpacks it once, and prints where
unpack() {
	version=$(candidate "$1")
	[ -n "$version" ] || fail "$suite/$arch has no package $1"
	dir=$cache/unpacked/$1_$(echo "$version" | tr : _)
	if [ ! -d "$dir" ]; then
		echo "fetch: $1 $version of $suite/$arch" >&2
		work=$(mktemp -d "$cache/work.XXXXXX")
		trap 'rm -rf "$work"' EXIT
		(cd "$work" && apt apt-get download "$1=$version" >&2) ||
			fail "$1 $version cannot be fetched"
		mkdir "$work/root"
		dpkg-deb -x "$work"/*.deb "$work/root" ||
			fail "$1 $version cannot be unpacked; is the disk full?"
		mv "$work/root" "$dir"
		rm -rf "$work"
		trap - EXIT
	fi
	echo "$dir"
}

# End in a way that removes a package that is half unpacked.
trap 'exit 130' HUP INT TERM
names=$*
seen=" "
mkdir -p "$cache/answers"
: >"$answer.new"
while :; do
	# shellcheck disable=SC2086 # a list of words
	set -- $names
	[ $# -gt 0 ] || break
	name=$1
	shift
	names=$*
	case $seen in *" $name "*) continue ;; esac
	seen="$seen$name "
	unpack "$name" >>"$answer.new"
	[ -z "$follow" ] ||
		names="$names $(dependencies "$name" | grep -E "$follow" | tr '\n' ' ')"
done
mv "$answer.new" "$answer"
cat "$answer"
