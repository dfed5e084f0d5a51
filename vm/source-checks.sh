#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The kernel's own judgement of our kernel sources, in a tree of the given
# version: warnings at W=1, sparse, kernel-doc. TAP on standard
# output.
#
# Usage: vm/source-checks.sh VERSION
set -u
[ $# -eq 1 ] || { echo "usage: vm/source-checks.sh VERSION" >&2; exit 2; }
build=$("$(dirname "$0")/kernel.sh" "$1") || exit 1
tree=$(readlink -f "$build/source")
here=security/utf8val
out=$(mktemp)
trap 'rm -f "$out"' EXIT
status=0

# point NUMBER NAME: passed when there is no output
point() {
	if [ -s "$out" ]; then
		echo "not ok $1 - $2"
		sed 's/^/# /' "$out"
		status=1
	else
		echo "ok $1 - $2"
	fi
}

cd "$tree" || exit 1
make -s ARCH=x86_64 O="$build" W=1 C=2 "$here/" >"$out" 2>&1
code=$?
[ $code -eq 0 ] || echo "make ended with status $code" >>"$out"
point 1 "W=1 and sparse are silent on $1"

./scripts/kernel-doc -none $here/utf8val.h $here/kernel/*.c \
	$here/kernel/lsm/*.[ch] $here/kernel/include/linux/utf8val.h >"$out" 2>&1
point 2 "kernel-doc is silent on $1"
echo 1..2
exit $status
