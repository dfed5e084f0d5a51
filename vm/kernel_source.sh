#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Find the source of a kernel, and print a name for what is made of it, and its path: a
# tree, or an archive, which is fetched where this system has no package of it.
#
# Usage: vm/kernel_source.sh VERSION
#          prints "NAME PATH"
#        vm/kernel_source.sh --tree NAME VERSION
#          brings the tree called NAME up to date, which vm/kernel.sh never builds in, and
#          prints its path
#   VERSION  one of vm/kernels: Debian's linux-source package; ignored when the
#            environment's KERNEL names a kernel tree
set -eu
fail() {
	echo "kernel: $*" >&2
	exit 1
}

tree=
if [ "${1-}" = --tree ] && [ $# -eq 3 ]; then
	tree=$2
	shift 2
fi
[ $# -eq 1 ] || {
	echo "usage: vm/kernel_source.sh [--tree NAME] VERSION" >&2
	exit 2
}
version=$1
cd "$(dirname "$0")/.."
if [ -n "${KERNEL-}" ]; then
	[ -d "$KERNEL/tools/testing/kunit" ] ||
		fail "KERNEL=$KERNEL is no kernel source tree"
	source=$(cd "$KERNEL" && pwd)
	release=$(make -s -C "$source" kernelversion)
	label=$release-$(echo "$source" | sha256sum | cut -c1-8)
elif [ -f "/usr/src/linux-source-$version.tar.xz" ]; then
	source=/usr/src/linux-source-$version.tar.xz
	label=$version-$(dpkg-query -W -f '${Version}' "linux-source-$version")
else
	# no package of this system: from the Debian release that has it
	release=$(tools/table.py vm/kernels release "$version") ||
		fail "no Debian release is known to have linux-source-$version; any \
other tree goes by KERNEL=/path"
	package=$(tools/fetch.sh "$release" "linux-source-$version") ||
		fail "there is no linux-source-$version; 'make deps-kernels' installs it \
where the release has it"
	source=$package/usr/src/linux-source-$version.tar.xz
	label=$version-${package##*_}
fi
if [ "$tree" ]; then
	tree=${XDG_CACHE_HOME:-$HOME/.cache}/utf8val/tree/$label-$tree
	mkdir -p "$(dirname "$tree")"
	flock "$tree.lock" tools/kernel-tree.sh "$source" "$tree" >&2
	echo "$tree"
else
	echo "$label $source"
fi
