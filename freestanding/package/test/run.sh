#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317 # point() calls the functions
# Pull the package in the way each build system does and run a small consumer that
# calls every function. The suite firmware-package runs this; TAP on standard output.
#
# Usage: freestanding/package/test/run.sh PACKAGES   what package.py made
set -u
packages=$(realpath "$1")
package=$packages/utf8val
here=$(dirname "$(realpath "$0")")
repository=$(realpath "$here/../../..")
. "$repository/tests/lib/tap.sh"
version=$(sed -n 's/^#define UTF8VAL_VERSION "\(.*\)"$/\1/p' "$package/utf8val.h")
archive=$packages/utf8val-firmware-$version.tar.gz
hash=$(sha256sum "$archive" | cut -d ' ' -f 1)

# consumer DIRECTORY: a fresh directory with the consumer in it
consumer() {
	mkdir -p "$tmp/$1"
	cp "$here/consumer.c" "$tmp/$1"
	cd "$tmp/$1" || exit 1
}

# what engine.h chooses here
case $(uname -m) in
x86_64 | aarch64) default=vector ;;
*) default=fast ;;
esac

# has ENGINE LIBRARY: that engine and no faster one was built. Nothing is
# inlined by a compiler that was not asked to optimise.
has() {
	nm "$2" | sed -n 's/^[0-9a-f]* [tTr] //p' >"$tmp/functions"
	case $1 in
	compact) grep -qx utf8val_compact_walk "$tmp/functions" &&
		! grep -x utf8val_pass_words "$tmp/functions" ;;
	word) grep -qx utf8val_pass_words "$tmp/functions" ;;
	mve) grep -qx utf8val_mve_tables "$tmp/functions" ;;
	fast | vector) grep -q '^fast_' "$tmp/functions" ;;
	esac && case $1 in
	vector) grep -q '^utf8val_vector_prefix_' "$tmp/functions" ;;
	fast) ! grep '^utf8val_vector' "$tmp/functions" ;;
	*) ! grep '^fast_' "$tmp/functions" ;;
	esac
}

calls_everything() {
	grep -v '^ \*' "$package/utf8val.h" | grep -o 'utf8val_[a-z_]*(' |
		grep -v '_inline(' |
		sort -u >"$tmp/declared"
	grep -o 'utf8val_[a-z_]*(' "$here/consumer.c" | sort -u |
		diff "$tmp/declared" -
}

# the same bytes again, and the same files in each
packed() {
	"$repository/freestanding/package/package.py" "$tmp/again" &&
	(cd "$packages" && sha256sum --check SHA256SUMS) &&
	cmp "$archive" "$tmp/again/${archive##*/}" &&
	mkdir "$tmp/unpacked" "$tmp/unzipped" &&
	tar -xf "$archive" -C "$tmp/unpacked" --strip-components=1 &&
	diff -r "$package" "$tmp/unpacked" &&
	/usr/bin/python3 -m zipfile -e \
		"$packages/utf8val.utf8val.$version.pack" "$tmp/unzipped" &&
	diff -r "$package" "$tmp/unzipped"
}

# each relative link of a page leads to what is in the package
links() {
	/usr/bin/python3 - "$package" <<-EOF
		import os, pathlib, re, sys
		package = pathlib.Path(sys.argv[1])
		seen, dead = 0, []
		for page in package.rglob("*.md"):
		    for link in re.findall(r"\]\(([^)#]+)", page.read_text()):
		        if "://" not in link:
		            there = pathlib.Path(os.path.normpath(page.parent / link))
		            seen += 1
		            if package not in there.parents or not there.exists():
		                dead.append(f"{page.relative_to(package)}: {link}")
		print(seen, "links", *dead, sep="\n")
		sys.exit(not seen or bool(dead))
	EOF
}

# cmake_consumer NAME HOW: a program that gets utf8val by the lines HOW
cmake_consumer() {
	consumer "$1" &&
	cat >CMakeLists.txt <<-EOF
		cmake_minimum_required(VERSION 3.14)
		project(consumer C)
		$2
		add_executable(consumer consumer.c)
		target_link_libraries(consumer PRIVATE utf8val::utf8val)
		install(TARGETS consumer)
	EOF
}

# cmake_run NAME HOW ENGINE OPTION...
cmake_run() {
	cmake_consumer "$1" "$2" && engine=$3 && shift 3 &&
	cmake -B build "$@" && cmake --build build && ./build/consumer &&
	has "$engine" "$(find build -name libutf8val.a)"
}

# the parent's program alone is installed
cmake_installs_nothing() {
	cmake_run quiet "add_subdirectory($package utf8val)" $default &&
	cmake --install build --prefix "$PWD/there" &&
	[ "$(find there ! -type d)" = there/bin/consumer ]
}

# a repository with the files that stand here
clone() {
	mkdir "$tmp/cloned" && cd "$repository" &&
	tools/files.sh | xargs -0 cp --parents -t "$tmp/cloned" &&
	cd "$tmp/cloned" && git init -q -b main && git add . &&
	git -c user.name=utf8val -c user.email= -c commit.gpgsign=false \
		commit -q -m "As it stands"
}

# cmake_arm FLAGS OPTION...: for a processor whose programs do not run here
cmake_arm() {
	flags=$1
	shift
	cmake -B build -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER=arm-none-eabi-gcc \
		-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY \
		-DCMAKE_C_FLAGS="$flags -mthumb -Os" "$@" && cmake --build build
}

# the linker is told to leave nothing undefined and gets no library
cmake_cross() {
	cmake_consumer cross "add_subdirectory($package utf8val)
		target_link_options(utf8val INTERFACE
			-nostdlib -Wl,--gc-sections,-e,main)" &&
	cmake_arm -mcpu=cortex-m0plus && arm-none-eabi-nm build/consumer |
		grep -q utf8val_check
}

cmake_mve() {
	consumer mve &&
	cmake_arm "-mcpu=cortex-m55 -mfloat-abi=hard" -S "$package" \
		-DCMAKE_SYSTEM_PROCESSOR=cortex-m55 -DUTF8VAL_ENGINE=mve &&
	has mve build/libutf8val.a
}

# cross_file COMPILERS SYSTEM FAMILY PROCESSOR ENDIANNESS ARGUMENT...: Meson's, "cross"
cross_file() {
	cat >cross <<-EOF
		[binaries]
		c = '$1-gcc'
		ar = '$1-ar'
		[host_machine]
		system = '$2'
		cpu_family = '$3'
		cpu = '$4'
		endian = '$5'
		[built-in options]
	EOF
	shift 5
	words=$(printf "'%s', " "$@")
	[ $# -eq 0 ] || printf '%s\n' "c_args = [$words]" "c_link_args = [$words'-nostdlib']" >>cross
}

# meson_m55 FLOAT-ABI
meson_m55() {
	cross_file arm-none-eabi none arm cortex-m55 little -mcpu=cortex-m55 "-mfloat-abi=$1" \
		-mthumb &&
	meson setup build "$package" --cross-file cross -Dengine=mve
}

meson_mve() {
	consumer meson-mve && meson_m55 hard &&
	ninja -C build && has mve build/libutf8val.a && no_ram build/libutf8val.a
}

# no_ram LIBRARY: nothing that a board would have to copy into RAM
no_ram() {
	arm-none-eabi-size -A "$1" >sizes && grep -q '^\.text' sizes &&
	! grep -E '^\.(data|bss)[^ ]* +[1-9]' sizes
}

# the core has vectors, but the compiler was not told to use them
mve_without_vectors() {
	consumer meson-soft && meson_m55 soft &&
	ends 1 "the MVE engine needs a vector unit" ninja -C build
}

mve_on_this_host() {
	consumer mve-host &&
	ends 1 "mve needs an Arm core" \
		cmake -S "$package" -B build -DUTF8VAL_ENGINE=mve &&
	ends 1 "engine=mve needs an Arm core" \
		meson setup build-meson "$package" -Dengine=mve &&
	ends 1 "the MVE engine needs a vector unit" \
		cc -DUTF8VAL_ENGINE_MVE=1 -c "$package/utf8val.c" -o mve.o
}

# zephyr_configured ENGINE MODULE: the example, with a stand-in for Zephyr
zephyr_configured() {
	cp -r "$2/freestanding/example/zephyr" \
		"$tmp/zephyr-$1-${2##*/}" && cd "$tmp/zephyr-$1-${2##*/}" &&
	case $1 in
	word) echo CONFIG_UTF8VAL_ENGINE_WORD=y >>prj.conf ;;
	mve) echo CONFIG_UTF8VAL_ENGINE_MVE=y >>prj.conf ;;
	esac &&
	cmake -B build -DZephyr_DIR="$here" -DEXTRA_ZEPHYR_MODULES="$2"
}

# the definition arrives, and here the compiler has to refuse it
zephyr_mve() {
	zephyr_configured mve "$package" &&
	ends 2 "the MVE engine needs a vector unit" cmake --build build
}

cmake_big_endian() {
	consumer big &&
	for engine in word mve; do
		ends 1 "$engine needs a little-endian machine" \
			cmake -S "$package" -B build -DUTF8VAL_ENGINE=$engine \
			-DCMAKE_C_COMPILER=s390x-linux-gnu-gcc || return
	done &&
	cmake -S "$package" -B build -DUTF8VAL_ENGINE=compact \
		-DCMAKE_C_COMPILER=s390x-linux-gnu-gcc && cmake --build build
}

meson_big_endian() {
	consumer meson-big && cross_file s390x-linux-gnu linux s390x s390x big &&
	ends 1 "engine=word needs a little-endian machine" \
		meson setup word "$package" --cross-file cross -Dengine=word &&
	meson setup compact "$package" --cross-file cross && ninja -C compact
}

# cmake_finds PREFIX VERSION: a program that finds what is installed there
cmake_finds() {
	cmake_consumer "find-$1" "find_package(utf8val $2 REQUIRED)" &&
	cmake -B build -DCMAKE_PREFIX_PATH="$tmp/$1" &&
	cmake --build build && ./build/consumer
}

cmake_installed() {
	cmake -S "$package" -B "$tmp/installed-build" \
		-DCMAKE_INSTALL_PREFIX="$tmp/installed" &&
	cmake --build "$tmp/installed-build" --target install &&
	cmake_finds installed "$version"
}

make_installed() {
	make -C "$repository" DEPS=no B="$tmp/made" PREFIX="$tmp/make-installed" install-library &&
	cmake_finds make-installed "$version" && cmake_finds make-installed "${version%.*}"
}

# cmake_prefix NAME LIBDIR OPTION...: only the installation learns of the prefix
cmake_prefix() {
	name=$1 libdir=$2
	shift 2
	cmake -S "$package" -B "$tmp/$name-build" "$@" &&
	cmake --build "$tmp/$name-build" &&
	cmake --install "$tmp/$name-build" --prefix "$tmp/$name" &&
	[ -f "$tmp/$name/$libdir/pkgconfig/utf8val.pc" ] && pkg_config "$name"
}

cmake_moved() {
	mv "$tmp/prefix" "$tmp/moved" && pkg_config moved
}

# before 1.0 a minor version may break things
# cmake_refuses PREFIX VERSION
cmake_refuses() {
	cmake_consumer "other-$1" "find_package(utf8val $2 REQUIRED)" &&
	ends 1 "compatible" cmake -B build -DCMAKE_PREFIX_PATH="$tmp/$1"
}

# pkg_config PREFIX
# shellcheck disable=SC2046 # a list of options
pkg_config() {
	consumer "pkg-config-$1" &&
	PKG_CONFIG_PATH=$(dirname "$(find "$tmp/$1" -name utf8val.pc)") &&
	export PKG_CONFIG_PATH &&
	pkg-config --exact-version="$version" utf8val &&
	cc consumer.c $(pkg-config --cflags --libs utf8val) -o consumer &&
		./consumer
}

# meson_consumer ENGINE: where subprojects/ is filled before
meson_consumer() {
	cat >meson.build <<-EOF &&
		project('consumer', 'c')
		executable('consumer', 'consumer.c', install: true,
		  dependencies: dependency('utf8val', fallback: 'utf8val',
		  default_options: ['engine=$1']))
	EOF
	meson setup build && meson compile -C build && ./build/consumer &&
	has "$1" "$(find build -name libutf8val.a)" &&
	DESTDIR=$PWD/there meson install -C build &&
	[ "$(find there ! -type d)" = there/usr/local/bin/consumer ]
}

meson_copy() {
	consumer meson && mkdir subprojects &&
	cp -r "$package" subprojects/utf8val && meson_consumer $default
}

meson_archive() {
	consumer meson-archive && mkdir subprojects &&
	printf '%s\n' "[wrap-file]" "directory = utf8val-firmware-$version" \
		"source_url = file://$archive" "source_filename = ${archive##*/}" \
		"source_hash = $hash" "[provide]" "utf8val = utf8val_dep" \
		>subprojects/utf8val.wrap &&
	meson_consumer word
}

# page LANGUAGE: the page's lines in it, with the address of the clone
page() {
	sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$repository/freestanding/README.md" |
		sed -e '/^```/d' \
			-e "s:https\://github.com/OWNER/utf8val:file\://$tmp/cloned:" |
		grep .
}

page_cmake() {
	consumer page-cmake &&
	cat >CMakeLists.txt <<-EOF &&
		cmake_minimum_required(VERSION 3.14)
		project(consumer C)
		add_executable(app consumer.c)
		$(page cmake)
	EOF
	cmake -B build && cmake --build build && ./build/app &&
	has $default "$(find build -name libutf8val.a)"
}

page_meson() {
	consumer page-meson && mkdir subprojects && mv consumer.c main.c &&
	page ini >subprojects/utf8val.wrap &&
	{ echo "project('consumer', 'c')" && page meson; } >meson.build &&
	meson setup build && meson compile -C build && ./build/app &&
	has $default "$(find build -name libutf8val.a)"
}

page_west() {
	mkdir "$tmp/west" && cd "$tmp/west" && git init -q manifest &&
	page yaml >manifest/west.yml &&
	west init -l manifest && west update &&
	diff -r -x .git "$tmp/cloned" modules/lib/utf8val
}

meson_installed() {
	meson setup "$tmp/meson-build" "$package" --prefix "$tmp/meson-installed" &&
		meson install -C "$tmp/meson-build"
}

# neither GCC nor Clang nor a relative of theirs
tiny_compiler() {
	consumer tcc && tcc -Wall -Werror -I"$package" \
		-DUTF8VAL_ENGINE_COMPACT=1 consumer.c "$package/utf8val.c" \
		-o consumer && ./consumer
}

# strict_c11 COMPILER: C11 without an extension; nor attributes, which no option
# refuses, where a compiler does not say that it is GNU C
strict_c11() {
	"$1" -std=c11 -Wall -Wextra -Wpedantic -Werror -pedantic-errors \
		-DUTF8VAL_ENGINE_COMPACT=1 -c "$package/utf8val.c" \
		-o "$tmp/strict.o" &&
	mkdir -p "$tmp/plain" && touch "$tmp/plain/stdbool.h" \
		"$tmp/plain/stddef.h" "$tmp/plain/stdint.h" &&
	"$1" -E -P -U__GNUC__ -nostdinc -I"$tmp/plain" \
		-DUTF8VAL_ENGINE_COMPACT=1 "$package/utf8val.c" \
		-o "$tmp/plain.i" &&
	grep -q utf8val_compact_walk "$tmp/plain.i" &&
	! grep -E '__(attribute|asm|builtin|typeof)' "$tmp/plain.i"
}

# zephyr_application ENGINE MODULE
zephyr_application() {
	zephyr_configured "$1" "$2" && cmake --build build &&
	[ "$(./build/app)" = "truncated at byte 11" ] &&
	has "$1" build/modules/zephyr/libutf8val.a
}

# cmake_example DIRECTORY: the whole project that README.md speaks of, as it stands there.
# A line may be longer than any room for it, have a NUL and lack its end.
cmake_example() {
	cmake -S "$1/freestanding/example/cmake" -B "$tmp/example-${1##*/}" &&
	cmake --build "$tmp/example-${1##*/}" &&
	[ "$(printf '21 \302\260C\ncaf\351s\n%0254d\303\251\na\000\377\n\nend\303' 0 |
		"$tmp/example-${1##*/}/lines")" = "ok
missing tail at byte 3
ok
bad lead at byte 2
ok
truncated at byte 3" ]
}

# platformio NAME PACKAGE ENGINE OPTION...: compile the files of library.json, with its
# include directory and flags. The options are build_flags of the program's platformio.ini.
# shellcheck disable=SC2046 # a list of options
platformio() {
	consumer "platformio-$1" && engine=$3 &&
	/usr/bin/python3 - "$2" >arguments <<-EOF &&
		import json, pathlib, sys
		package = pathlib.Path(sys.argv[1])
		library = json.loads((package / "library.json").read_text())
		assert library["name"] == "utf8val" and library["version"]
		assert (package / library["headers"]).is_file()
		build = library["build"]
		files = set()
		for rule in build["srcFilter"]:
		    found = set((package / build["srcDir"]).rglob(rule[2:-1]))
		    files = files | found if rule[0] == "+" else files - found
		assert {f.relative_to(package).as_posix()
		        for f in files} == {"utf8val.c"}
		for name in library["export"]["include"]:
		    assert (package / name).exists(), name
		print("-I", package / build["includeDir"], *build["flags"], *files)
	EOF
	shift 3 &&
	cc -g -c "$@" $(cat arguments) -o utf8val.o &&
	cc -I "$package" consumer.c utf8val.o -o consumer && ./consumer &&
	has "$engine" utf8val.o
}

cmsis_pack() {
	"$repository/freestanding/package/package.py" \
		--url "https://example.org/packs/?a&b" "$tmp/again" &&
	xmllint --noout "$tmp/again/utf8val/utf8val.utf8val.pdsc" &&
	/usr/bin/python3 - "$tmp/again/utf8val" <<-EOF
		import pathlib, sys
		import xml.etree.ElementTree as tree
		package = pathlib.Path(sys.argv[1])
		pack = tree.parse(package / "utf8val.utf8val.pdsc").getroot()
		for tag in ("vendor", "name", "description", "license", "releases"):
		    assert pack.find(tag) is not None, tag
		assert pack.findtext("url") == "https://example.org/packs/?a&b"
		assert (package / pack.findtext("license")).is_file()
		files = pack.findall("components/component/files/file")
		assert files and all((package / f.get("name")).exists() for f in files)
		conditions = {c.get("id"): c
		              for c in pack.findall("conditions/condition")}
		for component in pack.findall("components/component"):
		    assert component.get("condition") in conditions
		    engine = component.get("Cvariant").upper()
		    assert (f"UTF8VAL_ENGINE_{engine} 1" in
		            component.findtext("Pre_Include_Local_Component_h"))
		cores = {a.get("Dcore")
		         for a in conditions["Cortex-M"].findall("accept")}
		assert cores == {"Cortex-M" + number for number in
		                 "0 0+ 1 3 4 7 23 33 35P 52 55 85".split()} | {
		                 "SC000", "SC300", "Star-MC1"}, cores
	EOF
}

fetch_archive="include(FetchContent)
	FetchContent_Declare(utf8val URL file://$archive URL_HASH SHA256=$hash)
	FetchContent_MakeAvailable(utf8val)"
sub="add_subdirectory($package utf8val)"

point "the consumer calls every function" calls_everything
point "archive and pack: the same files, the same bytes each time" packed
point "the pages' links lead to what is in the package" links
point "a clone" clone
point "CMake add_subdirectory" cmake_run sub "$sub" $default
point "CMake add_subdirectory, word engine by an option" \
	cmake_run option "$sub" word -DUTF8VAL_ENGINE=word
for engine in compact fast vector; do
	point "CMake add_subdirectory, $engine engine by an option" \
		cmake_run "option-$engine" "$sub" $engine -DUTF8VAL_ENGINE=$engine
done
point "CMake add_subdirectory, word engine by the parent's variable" \
	cmake_run variable "set(UTF8VAL_ENGINE word)
$sub" word
point "CMake add_subdirectory of the repository" \
	cmake_run repository "add_subdirectory($repository utf8val)" $default
point "CMake, the example project" cmake_example "$package"
point "CMake, the example project in a clone" cmake_example "$tmp/cloned"
point "CMake FetchContent of the archive" \
	cmake_run fetch-url "$fetch_archive" $default
point "CMake installs nothing of a subproject" cmake_installs_nothing
point "CMake for Cortex-M0+, no library" cmake_cross
point "CMake refuses an unknown engine" ends 1 "not auto, compact, word" \
	cmake -S "$package" -B "$tmp/refuses" -DUTF8VAL_ENGINE=none
point "CMake refuses the word engine on a big-endian machine" cmake_big_endian
point "CMake find_package" cmake_installed
point "CMake find_package refuses another minor version" cmake_refuses installed 0.1
point "CMake find_package of what make installs" make_installed
for wanted in 0.1 "${version%.*}.999"; do
	point "CMake find_package refuses $wanted of what make installs" \
		cmake_refuses make-installed "$wanted"
done
point "pkg-config, installed by make" pkg_config make-installed
point "pkg-config, installed by CMake" pkg_config installed
point "pkg-config, installed by CMake with --prefix" cmake_prefix prefix lib
point "pkg-config, installed by CMake and moved" cmake_moved
point "pkg-config, installed by CMake with --prefix, a directory deeper" \
	cmake_prefix deeper lib/triplet -DCMAKE_INSTALL_LIBDIR=lib/triplet
point "pkg-config, installed by CMake into absolute directories" \
	cmake_prefix absolute lib -DCMAKE_INSTALL_LIBDIR="$tmp/absolute/lib" \
	-DCMAKE_INSTALL_INCLUDEDIR="$tmp/absolute/include"
point "Meson subproject, a copy" meson_copy
point "Meson subproject, wrap-file of the archive" meson_archive
point "CMake FetchContent of a clone, the lines of README.md" page_cmake
point "Meson subproject, wrap-git of a clone, the lines of README.md" page_meson
if command -v west >/dev/null; then
	point "Zephyr's west.yml, the lines of README.md, by west" page_west
else
	skip "Zephyr's west.yml, the lines of README.md, by west" \
		"there is no west, which Debian 13 has"
fi
point "Meson refuses the word engine on a big-endian machine" meson_big_endian
point "the compiler refuses it, too" ends 1 "the word engine needs a little-endian machine" \
	s390x-linux-gnu-gcc -DUTF8VAL_ENGINE_WORD=1 -c "$package/utf8val.c" -o "$tmp/big.o"
point "MVE engine: CMake for Cortex-M55" cmake_mve
point "MVE engine: Meson for Cortex-M55" meson_mve
point "MVE engine: a clear refusal where floats are soft" mve_without_vectors
point "MVE engine: a clear refusal from a compiler for this machine" \
	mve_on_this_host
point "Meson install" meson_installed
point "pkg-config, installed by Meson" pkg_config meson-installed
point "compact engine: C11 without extensions, gcc" strict_c11 gcc
point "compact engine: C11 without extensions, clang" strict_c11 clang
point "compact engine: tcc, a compiler of another kind" tiny_compiler
point "word engine: a clear refusal from a compiler without GNU attributes" \
	ends 1 "the word engine needs GCC, Clang" gcc -U__GNUC__ -I"$package" \
	-DUTF8VAL_ENGINE_WORD=1 -c "$package/utf8val.c" -o "$tmp/word.o"
point "Zephyr module.yml and Kconfig" /usr/bin/python3 "$here/zephyr.py" "$package"
point "Zephyr module.yml and Kconfig, a clone" \
	/usr/bin/python3 "$here/zephyr.py" "$tmp/cloned"
point "Zephyr CMake, compact engine" zephyr_application compact "$package"
point "Zephyr CMake, word engine" zephyr_application word "$package"
point "Zephyr CMake, MVE engine: refused by a compiler for this machine" \
	zephyr_mve
point "Zephyr CMake, a clone" zephyr_application compact "$tmp/cloned"
point "PlatformIO library.json, native" platformio native "$package" compact
point "PlatformIO library.json, word engine by build_flags" \
	platformio word "$package" word -DUTF8VAL_ENGINE_WORD=1
point "PlatformIO library.json, a clone" platformio clone "$tmp/cloned" compact
point "CMSIS-Pack description" cmsis_pack
tap_end
