#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Build a program for another architecture. Beside it come a root directory and a script
# that runs it there, emulated. The root directory has the parts of Debian 12 on which
# it runs, also charsets and locales of the C library.
#
# Usage: tools/emulated.sh ARCH COMPILER EMULATOR PROGRAM ARGUMENT...
#   ARCH      as Debian names it
#   EMULATOR  of one program: qemu-s390x, ...
#   PROGRAM   the script to make; beside it come PROGRAM.elf and PROGRAM.root
#   ARGUMENT  the compiler's
set -eu
[ $# -gt 4 ] || {
	echo "usage: tools/emulated.sh ARCH COMPILER EMULATOR PROGRAM ARGUMENT..." >&2
	exit 2
}
arch=$1 compiler=$2 emulator=$3 program=$4
shift 4
command -v "$compiler" >/dev/null || {
	echo "emulated: there is no $compiler; 'make deps-command-architectures' \
installs it" >&2
	exit 1
}
root=$(realpath -m "$program.root")
rm -rf "$root"
mkdir -p "$root"
dirs=$(tools/fetch.sh "bookworm/$arch" libc6 libc-bin libgcc-s1 \
	libjansson4 libjansson-dev libunistring2 libunistring-dev)
for dir in $dirs; do
	cp -a "$dir/." "$root"
done
triplet=$("$compiler" -dumpmachine)
lib=$root/usr/lib/$triplet
# The libraries that these libraries need lie in the same place.
"$compiler" -O2 -isystem "$root/usr/include" -o "$program.elf" "$@" "-L$lib" \
	"-Wl,-rpath-link,$lib"
loader=$(readelf -p .interp "$program.elf" | sed -n 's/.* \(\/.*\)/\1/p')
# The option -L of the emulator is not used, because it hides the / of the machine.
cat >"$program" <<END
#!/bin/sh
exec $emulator -E GCONV_PATH=$lib/gconv -E LOCPATH=$root/usr/lib/locale \\
	$root$loader --library-path $root/lib/$triplet:$lib \\
	$root/../$(basename "$program.elf") "\$@"
END
chmod +x "$program"
