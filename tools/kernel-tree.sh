#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Put the project into a private copy of a kernel source tree: apply the series of
# tools/patches.py for this kernel version, the patches that git am takes. The tree
# it comes from is never changed. Run again, it brings the copy up to date by
# content, and leaves the times of unchanged files alone, so that a build redoes
# only what it must.
#
# Usage: tools/kernel-tree.sh [--first] SOURCE DEST
#   --first the first of the two series alone
#   SOURCE  a kernel tree that nothing was built in, or a tar archive of one
#           (linux-source-6.12.tar.xz)
#   DEST    a directory of its own: new, empty, or from an earlier run, since all
#           else in it is removed
# Prints "changed" when SOURCE is a tree and differs from the last time.
set -eu
export LC_ALL=C

fail() {
	echo "kernel-tree: $*" >&2
	exit 1
}

project=$(cd "$(dirname "$0")/.." && pwd)

second=attribute
[ "${1-}" != --first ] || { second=; shift; }
[ $# -eq 2 ] || { echo "usage: tools/kernel-tree.sh [--first] SOURCE DEST" >&2; exit 2; }
source=$1
dest=$2

# $1 a program, $2 the package that has it
need() {
	command -v "$1" >/dev/null || missing="${missing-} $2"
}
need patch patch
need python3 python3
need rsync rsync
case $source in
*.xz) need xz xz-utils ;;
esac
[ -z "${missing-}" ] || fail "Debian packages are missing: apt install$missing"

# Choose the series for a kernel: its own, or that of the next older one.
# shellcheck disable=SC2086 # a list of versions
choose_series() {
	version=$(sed -n 's/^VERSION = \([0-9]*\)$/\1/p; s/^PATCHLEVEL = \([0-9]*\)$/.\1/p' \
		Makefile | tr -d '\n')
	all=$("$project/tools/table.sh" "$project/vm/kernels" version | sort -V |
		paste -sd ' ')
	# with a + a version comes after itself
	series=$(printf '%s\n' $all "$version+" | sort -V | sed '/+$/q' |
		tail -n 2 | head -n 1)
	[ "$series" != "$version+" ] || fail "Linux $version is older than any that \
this is for: $all"
	[ "$series" = "$version" ] || echo "kernel-tree: warning: this was never tried" \
		"on Linux $version; trying the patches for $series" >&2
}

# Apply the series to the files as they were, and take over what differs.
# .utf8val-original/ has those files, .utf8val-added the names of new ones.
apply_series() {
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' HUP INT TERM
	"$project/tools/patches.py" "$series" "$work/series"
	mkdir -p .utf8val-original "$work/new"
	# shellcheck disable=SC2086 # nothing, or a word
	set -- "$work"/series/*.patch \
		${second:+"$work"/series/$second/*.patch}
	cat "$@" | sed -n 's:^+++ b/::p' | sort -u |
		comm -23 - .utf8val-added | while read -r file; do
		[ ! -f "$file" ] || [ -f ".utf8val-original/$file" ] ||
			echo "$file"
	done | rsync -p --files-from=- . .utf8val-original/
	# Files that only an earlier series has changed are taken back, too.
	rsync -rp .utf8val-original/ "$work/new/"
	for patch; do
		patch -d "$work/new" -p1 -s -f --no-backup-if-mismatch \
			<"$patch" >"$work/out" 2>&1 || {
			grep -E 'FAILED|No file' "$work/out" |
				sed 's/^/kernel-tree: /' >&2
			fail "$(basename "$patch") for Linux $series does not \
apply to $version; is this kernel too new, or patched?"
		}
	done
	(cd .utf8val-original && find . -type f) | sort >"$work/known"
	(cd "$work/new" && find . -type f) | sort | comm -13 "$work/known" - |
		sed 's:^\./::' >"$work/added"
	# Files that only an earlier series has added go, with their directories.
	comm -23 .utf8val-added "$work/added" >"$work/gone"
	xargs -r rm -f -- <"$work/gone"
	xargs -r dirname <"$work/gone" | sort -ru | while read -r directory; do
		[ ! -d "$directory" ] ||
			rmdir -p --ignore-fail-on-non-empty -- "$directory"
	done
	# Until all is done, the list has the added files of both series.
	sort -u .utf8val-added "$work/added" >.utf8val-added.new
	mv .utf8val-added.new .utf8val-added
	rsync -rpc "$work/new/" ./
	cp "$work/added" .utf8val-added.new
	mv .utf8val-added.new .utf8val-added
	rm -rf "$work"
	trap - EXIT
}

[ -f "$dest/.utf8val-unpacked" ] || [ -d "$dest/.utf8val-original" ] ||
	[ ! -e "$dest" ] || [ -z "$(ls -A "$dest")" ] ||
	fail "$dest is not empty, and not from an earlier run; give a directory that \
does not exist yet"

if [ -d "$source" ]; then
	[ -f "$source/security/Kconfig" ] ||
		fail "$source is no kernel source tree"
	[ ! -e "$source/.config" ] ||
		fail "$source has been configured or built in place, and a \
kernel can only be built elsewhere from a clean tree. Save its .config and \
run 'make -C $source mrproper'; or, with git, give a second checkout: \
'git -C $source worktree add DIRECTORY'"
	[ -f "$dest/.utf8val-unpacked" ] ||
		echo "kernel-tree: copying $source (a minute)" >&2
	mkdir -p "$dest/.utf8val-original"
	# Patched files are compared with their originals.
	(cd "$dest/.utf8val-original" && find . -type f | sed 's:^\.::') \
		>"$dest/.utf8val-patched"
	touch "$dest/.utf8val-added"
	sed 's:^:/:' "$dest/.utf8val-added" >"$dest/.utf8val-new"
	changed=$(rsync -rlpci --delete \
		--exclude=/.git --exclude='/.utf8val-*' \
		--exclude-from="$dest/.utf8val-patched" \
		--exclude-from="$dest/.utf8val-new" "$source/" "$dest/" |
		sed -n 1p; sed 's:^/::' "$dest/.utf8val-patched" |
		rsync -pci --files-from=- "$source/" \
			"$dest/.utf8val-original/" | sed -n 1p)
	[ -z "$changed" ] || echo changed
	touch "$dest/.utf8val-unpacked"
elif [ ! -f "$source" ]; then
	fail "$source: no such file or directory"
elif [ ! -f "$dest/.utf8val-unpacked" ] || [ ! -f "$dest/.utf8val-added" ]; then
	rm -rf "$dest.new"
	mkdir -p "$dest.new"
	echo "kernel-tree: unpacking $source (usually 20 s)" >&2
	tar -xf "$source" -C "$dest.new" --strip-components=1
	touch "$dest.new/.utf8val-unpacked" "$dest.new/.utf8val-added"
	rm -rf "$dest"
	mv "$dest.new" "$dest"
fi

cd "$dest"
dest=$PWD
choose_series
apply_series
