#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Build the kernel that KUnit and the virtual machine run, in the cache
# (${XDG_CACHE_HOME:-~/.cache}/utf8val), and print its build directory. A build
# is redone only when the sources, the configuration or the project's own
# kernel files have changed, by content, and then only as far as needed. vm/boot.sh,
# kunit/kunit.py and vm/run call this.
#
# Usage: vm/kernel.sh [--for ARCHITECTURE] VERSION [FLAVOUR]
#   --for    for another architecture, one of vm/architectures; without FLAVOUR,
#            with KUnit alone
#   VERSION  as for vm/kernel_source.sh
#   FLAVOUR  std, or names joined by +, each with a vm/configs/NAME.config
set -eu

fail() {
	echo "kernel: $*" >&2
	exit 1
}

usage() {
	echo "usage: vm/kernel.sh [--for ARCHITECTURE] VERSION [FLAVOUR]" >&2
	exit 2
}

architecture=
if [ "${1-}" = --for ]; then
	[ $# -ge 3 ] || usage
	architecture=$2
	shift 2
fi
[ $# -eq 1 ] || [ $# -eq 2 ] || usage
version=$1
flavour=${2-}
cd "$(dirname "$0")/.."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/utf8val
found=$(vm/kernel_source.sh "$version")
label=${found%% *}
source=${found#* }

# the kernel's name of the architecture, the prefix of its tools, what is built
row=$(tools/table.py vm/architectures arch,prefix,image "${architecture:-x86_64}") ||
	fail "there is no such architecture"
arch=${row%% *}
image=${row##* }
tools=${row#* }
tools=${tools% *}
tools=${tools#-}
command -v "${tools}gcc" >/dev/null ||
	fail "there is no ${tools}gcc; 'make deps-architectures' installs it"
if [ -n "$architecture" ] && [ -z "$flavour" ]; then
	flavour=$architecture
	configs="kunit/.kunitconfig vm/configs/kunit.config \
		vm/configs/arch/$architecture.config"
else
	configs="kunit/.kunitconfig vm/configs/base.config \
		vm/configs/machine/${architecture:-x86_64}.config"
	[ -z "$architecture" ] ||
		configs="$configs vm/configs/arch/$architecture.config"
	flavour=${flavour:-std}
	for part in $(echo "$flavour" | tr + ' '); do
		[ -f "vm/configs/$part.config" ] ||
			fail "there is no vm/configs/$part.config"
		configs="$configs vm/configs/$part.config"
	done
	[ -f "vm/configs/machine/${architecture:-x86_64}.config" ] ||
		fail "no guest for $architecture: there is no file in vm/configs/machine"
	[ -z "$architecture" ] || flavour=$architecture-$flavour
fi

tree=$cache/tree/$label
build=$cache/build/$label-$flavour
mkdir -p "$cache/tree" "$build"
image_file=$build/$image
hash_of() {
	xargs sha256sum | sha256sum | cut -c1-64
}
# The stamps: the series in the tree, and how the kernel is built of it. All flavours of
# a kernel share the tree. Which series a kernel gets that vm/kernels does not name, and
# KERNEL's is one, only the tree says: it has to be built again when any of them changes.
made=$(mktemp -d)
series=$({ cat tools/kernel-tree.sh
	for each in $(tools/table.py vm/kernels version "${KERNEL:-$version}" 2>/dev/null ||
			tools/table.py vm/kernels version,patches | sed '/ -$/d; s/ .*//'); do
		tools/patches.py "$each" "$made" &&
			(cd "$made" && xargs cat <series)
	done; } | sha256sum | cut -c1-64)
rm -r "$made"
# shellcheck disable=SC2086 # a list of files
stamp=$series-$(printf '%s\n' vm/kernel.sh vm/architectures $configs | hash_of)
# kernel-tree.sh replaces the list of added files at each call
tree_stamp() {
	echo "$1 $(stat -c '%i %y' "$tree/.utf8val-added" 2>/dev/null)"
}
has_series() {
	[ "$(cat "$tree/.utf8val-stamp" 2>/dev/null)" = "$(tree_stamp "$series")" ]
}
# A stamp without the image is no kernel.
done_already() {
	[ "$(cat "$build/utf8val-stamp" 2>/dev/null)" = "$stamp" ] &&
		[ -s "$image_file" ]
}
# a finished build needs no lock, though another flavour may be building in this tree
if [ -z "${KERNEL-}" ] && done_already && has_series; then
	echo "$build"
	exit 0
fi
exec 9>"$cache/tree/$label.lock"
flock -n 9 || {
	echo "kernel: waiting for another build of $label" >&2
	until flock -w 300 9; do
		echo "kernel: still waiting for it" >&2
	done
}

# the user's own tree may have changed since, so it is looked at each time
if [ -n "${KERNEL-}" ]; then
	changed=$(tools/kernel-tree.sh "$source" "$tree")
	[ -z "$changed" ] || rm -f "$cache/build/$label"-*/utf8val-stamp
	tree_stamp "$series" >"$tree/.utf8val-stamp"
fi
if ! has_series; then
	tools/kernel-tree.sh "$source" "$tree" >&2
	tree_stamp "$series" >"$tree/.utf8val-stamp"
fi
# the tree is brought up to date for those who read it beside a build, too
if done_already; then
	echo "$build"
	exit 0
fi
log=$build/utf8val-build.log
fail_with_log() {
	grep -m 8 -A 3 -E 'error:|ERROR|Missing|[Nn]o space' "$log" >&2 ||
		tail -n 30 "$log" >&2
	fail "$1; the whole output: $log"
}

# A new flavour begins as a copy of a finished one, if possible of one whose name ends
# alike; the kernel's build then redoes only what differs in the configuration.
if [ ! -f "$build/.config" ] && [ -z "$architecture" ]; then
	for sibling in "$cache/build/$label"-*"+${flavour##*+}" \
			"$cache/build/$label-std"; do
		[ -f "$sibling/utf8val-stamp" ] || continue
		rm -rf "$build" "$build.new"
		cp -a "$sibling" "$build.new"
		rm "$build.new/.config" "$build.new/utf8val-stamp"
		# Its program for objects was built under the sibling's path; if it
		# were built again, all objects would be, too.
		grep -rslIF "$sibling/" "$build.new/tools" |
			xargs -r sed -i "s:$sibling/:$build/:g"
		mv "$build.new" "$build"
		break
	done
fi

# The configuration has nothing but what the fragments ask for: a kernel's defaults are
# for machines of all kinds, and more than double the time of the build. The last
# fragment that names an option decides, and every option that is asked for must be
# there in the end.
begin=$(date +%s)
asked=$build/utf8val-asked
# shellcheck disable=SC2086 # a list of files
sed -n 's/^\(# \)\?\(CONFIG_[A-Z0-9_]*\)[= ].*/\2 &/p' $configs |
	awk '{ line = $0; sub(/^[^ ]* /, "", line); last[$1] = line }
	END { for (name in last) print last[name] }' | LC_ALL=C sort >"$asked"
cd "$tree"
# newer kernels have only SYSCTL, which PROC_SYSCTL selected in older ones
grep -q '^config PROC_SYSCTL$' fs/proc/Kconfig ||
	sed -i 's/^CONFIG_PROC_SYSCTL=/CONFIG_SYSCTL=/' "$asked"
# newer kernels have made these features optional, which older ones always had
for option in KUNIT_AUTORUN_ENABLED TRACEFS_AUTOMOUNT_DEPRECATED NFS_V4_0; do
	grep -q "^config $option$" lib/kunit/Kconfig kernel/trace/Kconfig \
			fs/nfs/Kconfig ||
		sed -i "/^CONFIG_$option=/d" "$asked"
done
jobs=$(nproc)
make ARCH="$arch" CROSS_COMPILE="$tools" O="$build" -j"$jobs" \
	KCONFIG_ALLCONFIG="$asked" allnoconfig >"$log" 2>&1 ||
	fail_with_log "the configuration cannot be made"
missing=$(grep -v '^#' "$asked" | grep -vxFf "$build/.config" || true)
unwanted=$(sed -n 's/^# \(CONFIG_.*\) is not set/\1=/p' "$asked" |
	grep -Ff - "$build/.config" || true)
[ -z "$missing$unwanted" ] ||
	fail "this kernel cannot have: $(echo "$missing" "$unwanted" | tr '\n' ' ')"

echo "kernel: building Linux $label, $flavour (the first time 2 to 10 minutes on two" \
	"cores, later seconds)" >&2
# From here on an interrupted build leaves no stamp, as it may leave half a kernel. The
# stamp is written only when make has ended well and the image is there; a signal that
# ends this script or make prevents that.
rm -f "$build/utf8val-stamp" "$image_file"
# The steps are not counted by awk: Debian's mawk sees nothing of a pipe before its
# buffer is full.
{ make ARCH="$arch" CROSS_COMPILE="$tools" O="$build" -j"$jobs" \
		"${image##*/}" 2>&1 && [ -s "$image_file" ] &&
	echo "$stamp" >"$build/utf8val-stamp"; } | tee "$log" | {
	steps=0
	while read -r word _; do
		case $word in CC|AS|AR|LD) steps=$((steps + 1)) ;; *) continue ;; esac
		[ $((steps % 250)) -ne 0 ] || echo "kernel: $steps steps" >&2
	done
}
done_already || fail_with_log "the build failed"
echo "kernel: built in $(($(date +%s) - begin)) s" >&2
echo "$build"
