#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Build utf8val.ko and two modules that use it, the self-test and the example
# for authors of other modules, as external modules.
#
# Usage: vm/module.sh OUT [KERNEL]
#   OUT     a directory of ours: the sources are copied there and built there
#   KERNEL  a configured kernel build tree, such as /lib/modules/$(uname -r)/build;
#           default: what linux-headers-amd64 installs
# Warnings at W=1, and sparse's where the headers bring what it needs, are errors.
set -eu
fail() {
	echo "module: $*" >&2
	exit 1
}

[ $# -ge 1 ] || { echo "usage: vm/module.sh OUT [KERNEL]" >&2; exit 2; }
for tool in rsync sparse make gcc; do
	command -v "$tool" >/dev/null || fail "there is no $tool; apt install $tool"
done
project=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1/examples"
out=$(cd "$1" && pwd)
kernel=${2:-$("$project/vm/stock_headers.sh")}
[ -f "$kernel/Makefile" ] || fail "$kernel is no kernel tree"
[ -f "$kernel/.config" ] || [ -f "$kernel/include/config/auto.conf" ] ||
	fail "$kernel is not configured; give a build directory or a headers package's"

cd "$project"
rsync -lcR Kbuild kernel/Kbuild kernel/core.c kernel/export.c kernel/utf8val_rows.h \
	kernel/include/linux/utf8val.h tests/vectors.h tests/oracle.[ch] tools/gen/vectors.py \
	tools/gen/output.py "$out/"
rsync -rlc kunit/selftest "$out/kunit/"
rsync -rlc examples/module "$out/examples/"
# Headers of another Debian release name that release's compiler. The headers request
# options of that compiler, and a program that adds types for tracers. The modules' code
# is the same without these.
set -- C=1
compiler=$(sed -n 's/^CC = .*)\(gcc-[0-9]*\)$/\1/p' "$kernel/.kernelvariables" \
	2>/dev/null) || compiler=
if [ "$compiler" ] && ! command -v "$compiler" >/dev/null; then
	set -- C=0 CC=gcc CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT= \
		CONFIG_DEBUG_INFO_BTF_MODULES= CONFIG_PAHOLE_VERSION=0
fi
build() {
	# what is not compiled again would not warn again
	rm -f "$out"/kernel/*.o "$out"/kunit/selftest/*.o "$out"/examples/module/*.o
	# the whole log is shown, as a module's build prints a few lines
	if ! make -C "$kernel" W=1 "$@" modules >"$out/build.log" 2>&1 ||
	   grep -q 'warning:' "$out/build.log"; then
		cat "$out/build.log" >&2
		fail "the build against $kernel failed or warned"
	fi
}
build "$@" M="$out"
build "$@" M="$out/kunit/selftest" KBUILD_EXTRA_SYMBOLS="$out/Module.symvers"
build "$@" M="$out/examples/module" KBUILD_EXTRA_SYMBOLS="$out/Module.symvers"
echo "$out/kernel/utf8val.ko"
