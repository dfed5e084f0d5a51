#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Build the Debian packages that a machine with the guard installs: the guard's as the
# sources are now, and as the next version, to upgrade to; and the command's.
#
# Usage: vm/image/packages.sh OUT
#   makes OUT/first/*.deb, OUT/second/*.deb and OUT/command/*.deb
set -eu
[ $# -eq 1 ] || { echo "usage: vm/image/packages.sh OUT" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
# suites run side by side, and one of them builds for all
exec 9>"$out/lock"
flock 9
# the stamp: what the package is made of, as far as these tests look at it
stamp=$(tools/files.sh . ':!vm' ':!tests' ':!proof' ':!docs' \
	':!Documentation' ':!*.md' | xargs -0 sha256sum 2>/dev/null |
	cat - vm/image/packages.sh docs/break-glass.md | sha256sum)
[ "$stamp" != "$(cat "$out/stamp" 2>/dev/null)" ] || exit 0
rm -rf "$out/first" "$out/second" "$out/command" "$out/stamp"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/utf8val"
tools/files.sh | xargs -0 cp --parents -Pt "$work/utf8val"
cd "$work/utf8val"
unset MAKEFLAGS MFLAGS MAKELEVEL
for which in first second; do
	# what the second has in common with the first is not compiled again
	dh_clean
	DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc -B -nc \
		>"$out/$which.log" 2>&1 || {
		tail -n 30 "$out/$which.log" >&2
		exit 1
	}
	mkdir -p "$out/$which"
	mv ../utf8val-guard_*.deb "$out/$which"
	[ -d "$out/command" ] || {
		mkdir "$out/command"
		mv ../utf8val_*.deb "$out/command"
	}
	rm -f ../*.deb
	# a variable more makes other programs, which the kernel has to exchange
	echo "int guard_next;" >>bpf/kernel/guard.bpf.c
	sed -i '1s/(\([^)]*\))/(\1+next)/' debian/changelog
done
echo "$stamp" >"$out/stamp"
