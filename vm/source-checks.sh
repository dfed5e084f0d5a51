#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Judge the project's kernel sources as kernel developers do, in a tree of the
# given version: warnings at W=1, sparse, kernel-doc. TAP on standard output.
#
# Usage: vm/source-checks.sh VERSION
set -u
[ $# -eq 1 ] || { echo "usage: vm/source-checks.sh VERSION" >&2; exit 2; }
build=$("$(dirname "$0")/kernel.sh" "$1") || exit 1
tree=$(readlink -f "$build/source")
sources="fs/utf8val.c lib/utf8val.c lib/tests/utf8val_kunit.c"
. "$(dirname "$0")/../tests/lib/tap.sh"

cd "$tree" || exit 1
# shellcheck disable=SC2086 # a list of files
compiled() {
	objects=$(echo "$sources" | sed 's/\.c\b/.o/g')
	# what is not compiled again would not warn again
	(cd "$build" && rm -f $objects)
	make -s ARCH=x86_64 O="$build" W=1 "$@" $objects
}
# newer kernels test by themselves whether sparse knows the attributes that they use
valid=scripts/checker-valid.sh
if [ ! -e $valid ] || [ "$(sh $valid sparse --arch=x86_64)" = 1 ]; then
	point "W=1 and sparse are silent on $1" silent compiled C=2
else
	point "W=1 is silent on $1" silent compiled
	skip "sparse is silent on $1" \
		"this kernel says that sparse $(sparse --version) is not up to date"
fi
# shellcheck disable=SC2086 # a list of files
point "kernel-doc is silent on $1" silent ./scripts/kernel-doc -none \
	$sources include/linux/utf8val.h include/linux/fs_utf8val.h
tap_end
