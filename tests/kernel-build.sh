#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317 # point calls the functions
# vm/kernel.sh counts a kernel as built only if it has seen the image. A stand-in for
# make does here what a real one may do. TAP on standard output.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/lib/tap.sh
project=$tmp/project
mkdir -p "$project/vm" "$project/tools" "$project/kunit" "$tmp/bin" \
	"$tmp/source/tools/testing/kunit" "$tmp/cache/utf8val"
cp -R vm/kernel.sh vm/kernel_source.sh vm/configs vm/kernels vm/architectures "$project/vm/"
cp kunit/.kunitconfig "$project/kunit/"
# Stand-ins for the programs that make the tree: here the source itself is the tree, and
# the series a file.
cat >"$project/tools/patches.py" <<END
#!/bin/sh
cp "$project/tools/series" "\$2/one.patch"
echo one.patch >"\$2/series"
END
echo one >"$project/tools/series"
cat >"$project/tools/kernel-tree.sh" <<'END'
#!/bin/sh
mkdir -p "$2/fs/proc" "$2/lib/kunit" "$2/kernel/trace" "$2/fs/nfs"
cp "$(dirname "$0")/series" "$2/lib/series"
touch "$2/.new"
mv "$2/.new" "$2/.utf8val-added"
touch "$2/fs/proc/Kconfig" "$2/lib/kunit/Kconfig" "$2/kernel/trace/Kconfig" \
	"$2/fs/nfs/Kconfig"
END
# Linux 0.1 has no package here, but one that was fetched.
mkdir -p "$tmp/fetched_1/usr/src"
cat >"$project/tools/table.py" <<'END'
#!/bin/sh
case $2 in
release) echo trixie ;;
*) echo x86_64 - arch/x86/boot/bzImage ;;
esac
END
printf '#!/bin/sh\necho "%s"\n' "$tmp/fetched_1" >"$project/tools/fetch.sh"
chmod 755 "$project/tools"/*
# make: $HOW says how it ends
cat >"$tmp/bin/make" <<'END'
#!/bin/sh
for word; do
	case $word in
	O=*) build=${word#O=} ;;
	KCONFIG_ALLCONFIG=*) asked=${word#*=} ;;
	kernelversion) echo 6.12.0 ;;
	allnoconfig) cp "$asked" "$build/.config" ;;
	bzImage)
		case $HOW in
		well)
			mkdir -p "$build/arch/x86/boot"
			echo image >"$build/arch/x86/boot/bzImage" ;;
		badly) exit 2 ;;
		killed) kill -9 $$ ;;
		with-its-shell) kill -9 $PPID; kill -9 $$ ;;
		esac ;;
	esac
done
END
chmod 755 "$tmp/bin/make"

built() {
	HOW=$1 XDG_CACHE_HOME=$tmp/cache PATH=$tmp/bin:$PATH
	export HOW XDG_CACHE_HOME PATH
	shift
	"$project/vm/kernel.sh" "$@"
}
kernel() (
	KERNEL=$tmp/source
	export KERNEL
	built "$1" 6.12
)
# all flavours share the tree, which has the series of the last one asked for
has_series() (
	echo "$1" >"$project/tools/series"
	shift
	built "$@" >"$tmp/build" && cmp "$project/tools/series" "$tmp/cache/utf8val/tree/0.1-1/lib/series"
)

for how in badly killed with-its-shell without-an-image; do
	point "make ends $how: no kernel" ends 1 "the build failed" kernel $how
done
point "make ends well: a kernel" ends 0 "-std" kernel well
echo '# the same series' >>"$project/tools/patches.py"
point "and it is not built again, whatever made its series" ends 0 "-std" kernel badly
echo two >"$project/tools/series"
point "the series has changed: it is" ends 1 "the build failed" kernel badly
point "well, this time" ends 0 "-std" kernel well
rm "$(kernel badly)/arch/x86/boot/bzImage"
point "its image is gone: no kernel" ends 1 "the build failed" kernel badly
point "a kernel without a tree of the user's" has_series one well 0.1
point "another flavour of it with another series" has_series two well 0.1 std+full
point "the first is not built again, but its sources are there" has_series one badly 0.1
point "nor is the other" has_series two badly 0.1 std+full
tap_end
