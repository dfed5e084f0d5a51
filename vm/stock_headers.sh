#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Find what modules for one of Debian's own kernels are built with, and print
# the directory for make -C.
#
# Usage: vm/stock_headers.sh [VERSION]
#   VERSION  installed: the package linux-headers-amd64 (the default), or
#            one of vm/kernels, from the release that has it, Debian 13 or later:
#            unpacked into the cache
set -eu
fail() {
	echo "headers: $*" >&2
	exit 1
}

version=${1-installed}
project=$(cd "$(dirname "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/utf8val/headers

installed() {
	release=$(dpkg-query -W -f '${Depends}' linux-headers-amd64 2>/dev/null |
		sed -n 's/^linux-headers-\([^ ,]*\).*/\1/p')
	[ -n "$release" ] ||
		fail "linux-headers-amd64 is not installed; 'make deps' does that"
	echo "/usr/src/linux-headers-$release"
}

# $1: a package's name, with a * for what varies; prints the directory it is unpacked in
unpacked() {
	echo "$packages" | grep "/$1_" || fail "linux-headers-amd64 of $suite \
does not bring $1"
}

# Fetch packages of another Debian release. The build tools in them need that release's C
# library, so they are started by that library's loader; this release's compiler will do.
fetched() {
	suite=$("$project/tools/table.py" "$project/vm/kernels" release "$version") ||
		fail "VERSION is 'installed' or one of vm/kernels, not $version"
	packages=$("$project/tools/fetch.sh" --follow \
		'^(linux-(headers|kbuild)-[0-9]|libc6$|libelf1t64$|libssl3t64$|zlib1g$|libzstd1$)' \
		"$suite" linux-headers-amd64) ||
		fail "the headers of $suite cannot be fetched"
	common=$(unpacked 'linux-headers-[^/]*-common')
	ours=$(unpacked 'linux-headers-[0-9][^/]*-amd64')
	kbuild=$(unpacked 'linux-kbuild-[^/]*')
	libc=$(unpacked libc6)
	release=$(basename "$ours"/usr/src/*)
	root=$cache/$(basename "$ours")
	if [ ! -f "$root/complete" ]; then
		rm -rf "$root"
		mkdir -p "$root"
		for package in "$common" "$ours" "$kbuild"; do
			cp -a "$package/usr" "$root/"
		done
		sed -i "s:/usr/src/:$root/usr/src/:" \
			"$root/usr/src/$release/Makefile"
		path=$(for package in libc6 libelf1t64 libssl3t64 zlib1g libzstd1; do
			printf '%s/usr/lib/x86_64-linux-gnu:' \
				"$(unpacked "$package")"
		done)
		tools=$(echo "$root"/usr/lib/linux-kbuild-*)
		wrap "$tools/scripts/mod/modpost" .real-lsb-64
		wrap "$tools/tools/objtool/objtool" .real-x86
		for tool in scripts/basic/fixdep scripts/genksyms/genksyms \
				scripts/kallsyms \
				tools/bpf/resolve_btfids/resolve_btfids; do
			mv "$tools/$tool" "$tools/$tool.real"
			wrap "$tools/$tool" .real
		done
		touch "$root/complete"
	fi
	same_kernel "${release#linux-headers-}"
	echo "$root/usr/src/$release"
}

# $1: the headers' release. vm/stock_kernel.sh looks for a new kernel only once a week.
# With --update the script looks now, if its kernel is of another release.
same_kernel() {
	kernel=$("$project/vm/stock_kernel.sh" "$version")
	[ "$(cat "$kernel/release")" != "$1" ] || return 0
	"$project/vm/stock_kernel.sh" --update "$version" >/dev/null
}

# $1: a program to make, which starts the real one; $2: how the real one's name ends
wrap() {
	rm -f "$1"
	cat >"$1" <<-EOF
		#!/bin/sh
		exec $libc/usr/lib64/ld-linux-x86-64.so.2 --library-path \\
			$path $1$2 "\$@"
	EOF
	chmod 755 "$1"
}

case $version in
installed) installed ;;
*) fetched ;;
esac
