#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Put the project into a private copy of a kernel source tree, by the series of
# tools/patches.py for this version. Run again, it brings the copy up to date by content,
# and leaves the times of unchanged files alone, so that a build redoes only what it must.
#
# Usage: tools/kernel-tree.sh SOURCE DEST
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

[ $# -eq 2 ] || { sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 2; }
source=$1
dest=$2

# programs, with the packages of other names that have them
for need in patch python3 rsync xz/xz-utils; do
	command -v "${need%/*}" >/dev/null || missing="${missing-} ${need#*/}"
done
[ -z "${missing-}" ] || fail "Debian packages are missing: apt install$missing"

[ -f "$dest/.utf8val-unpacked" ] || [ -d "$dest/.utf8val-original" ] ||
	[ ! -e "$dest" ] || [ -z "$(ls -A "$dest")" ] ||
	fail "$dest is not empty, and not from an earlier run; give a directory that \
does not exist yet"

if [ -d "$source" ]; then
	[ -f "$source/fs/Kconfig" ] || fail "$source is no kernel source tree"
	[ ! -e "$source/.config" ] ||
		fail "$source has been configured or built in place, and a \
kernel can only be built elsewhere from a clean tree. Save its .config and \
run 'make -C $source mrproper'; or, with git, give a second checkout: \
'git -C $source worktree add DIRECTORY'"
	[ -f "$dest/.utf8val-unpacked" ] ||
		echo "kernel-tree: copying $source (a minute)" >&2
	mkdir -p "$dest/.utf8val-original"
	touch "$dest/.utf8val-added"
	# Patched files are compared with their originals; directories of new files stay.
	patched=$dest/.utf8val-patched
	find "$dest/.utf8val-original" -type f -printf '%P\n' >"$patched"
	changed=$(sed 's:^:/:' "$patched" "$dest/.utf8val-added" |
		rsync -rlpci --delete --exclude=/.git --exclude='/.utf8val-*' \
			--exclude-from=- "$source/" "$dest/" |
		sed '/^cannot delete\|^\*deleting.*\/$/d' | sed -n 1p
		rsync -pci --files-from="$patched" "$source/" \
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
# Choose the series for a kernel: its own, or that of the next older one.
version=$(sed -n 's/^VERSION = //p; s/^PATCHLEVEL = /./p' Makefile | tr -d '\n')
all=$("$project/tools/table.py" "$project/vm/kernels" version,patches |
	sed '/ -$/d; s/ .*//' | sort -V | paste -sd ' ')
# with a + a version comes after itself
# shellcheck disable=SC2086 # a list of versions
series=$(printf '%s\n' $all "$version+" | sort -V | sed '/+$/q' | tail -n 2 | head -n 1)
[ "$series" != "$version+" ] || fail "Linux $version is older than any that \
this is for: $all"
[ "$series" = "$version" ] || echo "kernel-tree: warning: this was never tried" \
	"on Linux $version; trying the patches for $series" >&2

# Apply the series to the files as they were, and take over what differs.
# .utf8val-original/ has those files, .utf8val-added the names of new ones.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
"$project/tools/patches.py" "$series" "$work/series"
mkdir -p .utf8val-original "$work/new"
(cd "$work/series" && xargs cat <series) | sed -n 's:^+++ b/::p' | sort -u |
	comm -23 - .utf8val-added |
	rsync -p --ignore-existing --ignore-missing-args --files-from=- \
		. .utf8val-original/
# Files that only an earlier series has changed are taken back, too.
rsync -rp .utf8val-original/ "$work/new/"
while read -r patch; do
	patch -d "$work/new" -p1 -s -f --no-backup-if-mismatch \
		<"$work/series/$patch" >"$work/out" 2>&1 || {
		sed -n '/FAILED\|No file/s/^/kernel-tree: /p' "$work/out" >&2
		fail "$(basename "$patch") for Linux $series does not \
apply to $version; is this kernel too new, or patched?"
	}
done <"$work/series/series"
find .utf8val-original -type f -printf '%P\n' | sort >"$work/known"
find "$work/new" -type f -printf '%P\n' | sort | comm -13 "$work/known" - >"$work/added"
# Files that only an earlier series has added go, with their directories.
comm -23 .utf8val-added "$work/added" | while read -r file; do
	rm -f -- "$file"
	rmdir -p --ignore-fail-on-non-empty -- "$(dirname "$file")" 2>/dev/null || true
done
# Until all is done, the list has the added files of both.
sort -u .utf8val-added "$work/added" >.utf8val-added.new
mv .utf8val-added.new .utf8val-added
rsync -rpc "$work/new/" ./
cp "$work/added" .utf8val-added.new
mv .utf8val-added.new .utf8val-added
