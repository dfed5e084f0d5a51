#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Build the Debian packages that a machine with the guard installs: the guard's as the
# sources are now, and as the next version, to upgrade to; and the command's.
#
# Usage: vm/image/packages.sh OUT [first]
#   makes OUT/first/*.deb, OUT/command/*.deb, and unless "first" is asked, OUT/second/*.deb
set -eu
[ $# -eq 1 ] || [ "$#$2" = 2first ] || {
	echo "usage: vm/image/packages.sh OUT [first]" >&2
	exit 2
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
versions=${2:-first second}
cd "$(dirname "$0")/../.."
# suites run side by side, and one of them builds for all
exec 9>"$out/lock"
flock 9
# What the packages are made of, as far as the tests look at them: nothing else is
# there when they are built, but what make reads, and the guard's documentation.
made_of() {
	tools/files.sh bpf debian engine forms tools/command tools/libutf8val.pc.in \
		bpf/shared/modes.h bpf/shared/removals.h utf8val.c utf8val.h Makefile tools/tools.mk \
		docs/break-glass.md docs/monitoring.md docs/programs.rst \
		docs/systems.rst Documentation/admin-guide
}
stamp=$(made_of | xargs -0 sha256sum | cat - vm/image/packages.sh | sha256sum)
made=yes
for which in $versions; do
	[ "$stamp" = "$(cat "$out/$which/stamp" 2>/dev/null)" ] || made=
done
[ ! "$made" ] || exit 0
rm -rf "$out/first" "$out/second" "$out/command"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/utf8val"
{
	made_of
	tools/files.sh '*.mk' 'tools/*.sh' tools/deps.py tools/table.py tools/packages \
		vm/kernels vm/architectures freestanding/boards/table \
		Documentation/admin-guide
} | sort -zu | xargs -0 cp --parents -Pt "$work/utf8val"
cd "$work/utf8val"
unset MAKEFLAGS MFLAGS MAKELEVEL
for which in $versions; do
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
	echo "$stamp" >"$out/$which/stamp"
done
