#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Make a root directory of a Debian release, from the mirror of the system's own apt
# sources, or run a command in one. The command has processes and mounts of its own,
# which all end with it. Needs root, as a root directory has files of several users.
#
# Usage: tools/debian-root.sh RELEASE ROOT VARIANT [PACKAGE,...]
#          make ROOT; VARIANT is one of mmdebstrap's: minbase is what container images
#          have, apt is less
#        tools/debian-root.sh --in ROOT [--bind FROM TO]... COMMAND...
#          run COMMAND in ROOT, where TO is the directory FROM outside; its environment
#          is a path, a home, a proxy, and what `env` before COMMAND sets
set -eu
fail() {
	echo "debian-root: $*" >&2
	exit 1
}

[ "$(id -u)" = 0 ] ||
	fail "a root directory has files of several users: run this as root"
if [ "${1-}" = --in ] && [ $# -ge 3 ]; then
	shift
	# shellcheck disable=SC2016 # for the shell inside
	exec unshare --mount --pid --fork --kill-child --propagation private \
		sh -eu -c '
		root=$1
		shift
		mount --bind "$root" "$root"
		mount -t proc proc "$root/proc"
		mount --rbind /dev "$root/dev"
		mount -t tmpfs tmpfs "$root/run"
		cp -L /etc/resolv.conf "$root/etc/resolv.conf"
		while [ "$1" = --bind ]; do
			mkdir -p "$root$3"
			mount --bind "$2" "$root$3"
			shift 3
		done
		exec chroot "$root" env -i HOME=/root \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			LANG=C.UTF-8 ${http_proxy:+http_proxy="$http_proxy"} \
			${https_proxy:+https_proxy="$https_proxy"} "$@"' sh "$@" </dev/null
fi
[ $# -eq 3 ] || [ $# -eq 4 ] || {
	sed -n 's/^# *\(Usage: \)\{0,1\}\(tools.*\)/usage: \2/p' "$0" >&2
	exit 2
}
release=$1 root=$2
echo "debian-root: making a root directory of $release, a minute" >&2
rm -rf "$root" "$root.new"
mkdir -p "$(dirname "$root")"
"$(dirname "$0")/fetch.sh" --sources "$release" >"$root.list"
# packages are not written to the disk one by one, as in container images: no such
# directory has to outlive a loss of power
unshare --mount --propagation private mmdebstrap --quiet --variant="$3" \
	--dpkgopt=force-unsafe-io ${4:+--include="$4"} "$release" "$root.new" "$root.list" >&2 ||
	fail "mmdebstrap failed; its own message stands above"
rm "$root.list"
mv "$root.new" "$root"
