#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Try the project on another Debian release, as a newcomer has it: with git and make and
# nothing else. mmdebstrap makes a root directory of that release, from the mirror of
# the system's own apt sources. The source archive is unpacked there and
# each TARGET made, which installs what it needs. Nothing is mounted or started outside
# of the namespaces that this ends with.
#
# Usage: tools/check-release.sh [--fresh] RELEASE ARCHIVE LOGS [TARGET...]
#   --fresh  make a new root directory; otherwise it is kept in the cache, with
#            the packages that were installed there
#   RELEASE  bookworm, trixie, ...
#   ARCHIVE  what make dist made
#   LOGS     a directory for each target's output
#   TARGET   a make target, with its variables: "check ONLY=lint"; by default the targets
#            that a newcomer runs first, and the suites that do not take hours emulated
set -eu
export LC_ALL=C.UTF-8
fail() {
	echo "check-release: $*" >&2
	exit 1
}

fresh=
if [ "${1-}" = --fresh ]; then
	fresh=yes
	shift
fi
[ $# -ge 3 ] || {
	echo "usage: tools/check-release.sh [--fresh] RELEASE ARCHIVE LOGS [TARGET...]" >&2
	exit 2
}
release=$1
[ -n "$release" ] || fail "RELEASE= is no name of a release, such as trixie"
archive=$(realpath "$2")
mkdir -p "$3"
logs=$(realpath "$3")
shift 3
[ $# -gt 0 ] || set -- demo tools firmware "check-all JUNIT=build/junit.xml ONLY='runner \
	host-* forms coverage examples differential fuzz command-* lint lint-code firmware-* \
	kunit-* mount-* source-* proof'"
cd "$(dirname "$0")/.."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/utf8val/release/$release
root=$cache/root
mkdir -p "$cache"
exec 9>"$cache/lock"
flock -n 9 || fail "somebody else is using $root"

[ -z "$fresh" ] || rm -rf "$root"
[ -d "$root" ] || tools/debian-root.sh "$release" "$root" apt git,make,ca-certificates
rm -rf "$root/srv/utf8val"
mkdir "$root/srv/utf8val"
tar -xf "$archive" -C "$root/srv/utf8val" --strip-components=1

failed=0
for target; do
	log=$logs/$(echo "$target" | tr -c 'a-zA-Z0-9\n' - | cut -c1-40).log
	echo "== $release: make $target" >&2
	begin=$(date +%s)
	status=0
	# shellcheck disable=SC2016 # for the shell inside
	tools/debian-root.sh --in "$root" \
		sh -c 'cd /srv/utf8val && eval "make $1"' make "$target" >"$log" 2>&1 || status=$?
	if [ $status -ne 0 ]; then
		failed=1
		grep -E '^ *(not ok|[a-z-]+: .*error)' "$log" | head -n 40 || :
	fi
	tail -n 3 "$log"
	echo "== $release: make $target: status $status," \
		"$(($(date +%s) - begin)) s; $log"
done
exit $failed
