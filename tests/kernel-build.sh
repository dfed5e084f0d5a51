#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317 # point calls the functions
# vm/kernel.sh counts a kernel as built only where it has seen the image: here with
# a make that does what a real one may. TAP on standard output.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/lib/tap.sh
project=$tmp/project
mkdir -p "$project/vm" "$project/tools" "$project/kunit" "$tmp/bin" \
	"$tmp/source/tools/testing/kunit" "$tmp/cache/utf8val"
cp -R vm/kernel.sh vm/configs vm/kernels vm/processors "$project/vm/"
cp kunit/.kunitconfig "$project/kunit/"
# Stand-ins for the programs that make the tree: here the source itself is the tree.
for tool in kernel-tree.sh patches.py; do
	printf '#!/bin/sh\n' >"$project/tools/$tool"
	chmod 755 "$project/tools/$tool"
done
cat >"$project/tools/kernel-tree.sh" <<'END'
#!/bin/sh
[ $# -eq 2 ] || exit 0
mkdir -p "$2/fs/proc" "$2/lib/kunit" "$2/kernel/trace" "$2/fs/nfs"
touch "$2/fs/proc/Kconfig" "$2/lib/kunit/Kconfig" "$2/kernel/trace/Kconfig" \
	"$2/fs/nfs/Kconfig"
END
mkdir "$project/kernel" "$project/kernel/patches"
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

kernel() {
	HOW=$1 KERNEL=$tmp/source XDG_CACHE_HOME=$tmp/cache \
		PATH=$tmp/bin:$PATH "$project/vm/kernel.sh" 6.12
}

for how in badly killed with-its-shell without-an-image; do
	point "make ends $how: no kernel" ends 1 "the build failed" kernel $how
done
point "make ends well: a kernel" ends 0 "-std" kernel well
point "and it is not built again" ends 0 "-std" kernel badly
rm "$(kernel badly)/arch/x86/boot/bzImage"
point "its image is gone: no kernel" ends 1 "the build failed" kernel badly
tap_end
