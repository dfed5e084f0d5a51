#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317 # point() calls the functions
# Pull the package in the way each build system does and run a tiny consumer;
# TAP on standard output.
#
# Usage: freestanding/package/test/run.sh PACKAGE
set -u
package=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
. "$here/../../../tests/lib/tap.sh"
version=$(sed -n 's/^#define UTF8VAL_VERSION "\(.*\)"$/\1/p' "$package/utf8val.h")

# consumer DIRECTORY: a fresh directory with the consumer in it
consumer() {
	mkdir -p "$tmp/$1"
	cp "$here/consumer.c" "$tmp/$1"
	cd "$tmp/$1" || exit 1
}

# cmake_sub NAME DIRECTORY OPTION...: add_subdirectory(DIRECTORY)
cmake_sub() {
	directory=$2
	consumer "$1" && shift 2 &&
	cat >CMakeLists.txt <<-EOF &&
		cmake_minimum_required(VERSION 3.13)
		project(consumer C)
		add_subdirectory($directory utf8val)
		add_executable(consumer consumer.c)
		target_link_libraries(consumer PRIVATE utf8val::utf8val)
	EOF
	cmake -B build "$@" && cmake --build build && ./build/consumer
}

# the linker is told to leave nothing undefined and gets no library
cmake_cross() {
	consumer cross &&
	cat >CMakeLists.txt <<-EOF &&
		cmake_minimum_required(VERSION 3.13)
		set(CMAKE_SYSTEM_NAME Generic)
		set(CMAKE_C_COMPILER arm-none-eabi-gcc)
		set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
		set(CMAKE_C_FLAGS "-mcpu=cortex-m0plus -mthumb -Os")
		project(consumer C)
		add_subdirectory($package utf8val)
		add_executable(consumer consumer.c)
		target_link_options(consumer PRIVATE -nostdlib -Wl,--gc-sections,-e,main)
		target_link_libraries(consumer PRIVATE utf8val::utf8val)
	EOF
	cmake -B build && cmake --build build &&
		arm-none-eabi-nm build/consumer | grep -q utf8val_check
}

cmake_refuses() {
	consumer refuses && ! cmake -S "$package" -B build -DUTF8VAL_ENGINE=none
}

cmake_installed() {
	cmake -S "$package" -B "$tmp/installed-build" \
		-DCMAKE_INSTALL_PREFIX="$tmp/installed" &&
	cmake --build "$tmp/installed-build" --target install &&
	consumer find_package &&
	cat >CMakeLists.txt <<-EOF &&
		cmake_minimum_required(VERSION 3.13)
		project(consumer C)
		find_package(utf8val $version REQUIRED)
		add_executable(consumer consumer.c)
		target_link_libraries(consumer PRIVATE utf8val::utf8val)
	EOF
	cmake -B build -DCMAKE_PREFIX_PATH="$tmp/installed" &&
		cmake --build build && ./build/consumer
}

# pkg_config PREFIX
# shellcheck disable=SC2046 # a list of options
pkg_config() {
	consumer "pkg-config-$1" &&
	PKG_CONFIG_PATH=$(dirname "$(find "$tmp/$1" -name utf8val.pc)") &&
	export PKG_CONFIG_PATH &&
	cc consumer.c $(pkg-config --cflags --libs utf8val) -o consumer &&
		./consumer
}

meson_subproject() {
	consumer meson && mkdir subprojects &&
	cp -r "$package" subprojects/utf8val &&
	cat >meson.build <<-EOF &&
		project('consumer', 'c')
		executable('consumer', 'consumer.c', dependencies: dependency('utf8val',
		  fallback: 'utf8val', default_options: ['engine=$1']))
	EOF
	meson setup build && meson compile -C build && ./build/consumer
}

meson_installed() {
	meson setup "$tmp/meson-build" "$package" --prefix "$tmp/meson-installed" &&
		meson install -C "$tmp/meson-build"
}

# amalgamated COMPILER ENGINE: two files include it, one of them with the
# implementation
amalgamated() {
	consumer "amalgamated-$1-$2" &&
	cp "$package/utf8val_single.h" utf8val.h &&
	cat >implementation.c <<-EOF &&
		#define UTF8VAL_ENGINE_$2 1
		#define UTF8VAL_IMPLEMENTATION
		#include "utf8val.h"
	EOF
	$1 -I. -Wall -Wextra -Werror -c consumer.c &&
	cc -std=gnu11 -I. -Wall -Wextra -Werror -c implementation.c &&
	cc consumer.o implementation.o -o consumer && ./consumer
}

zephyr_module() {
	/usr/bin/python3 "$here/zephyr.py" "$package"
}

# Zephyr itself is no Debian package: its four functions are stood in for
zephyr_cmake() {
	consumer "zephyr-$1" &&
	cat >CMakeLists.txt <<-EOF &&
		cmake_minimum_required(VERSION 3.13)
		project(consumer C)
		macro(zephyr_library_named name)
			set(ZEPHYR_CURRENT_LIBRARY \${name})
			add_library(\${name} STATIC)
		endmacro()
		function(zephyr_library_sources)
			target_sources(\${ZEPHYR_CURRENT_LIBRARY} PRIVATE \${ARGN})
		endfunction()
		function(zephyr_library_compile_definitions_ifdef feature)
			if(\${feature})
				target_compile_definitions(\${ZEPHYR_CURRENT_LIBRARY}
					PRIVATE \${ARGN})
			endif()
		endfunction()
		function(zephyr_include_directories)
			target_include_directories(\${ZEPHYR_CURRENT_LIBRARY}
				PUBLIC \${ARGN})
		endfunction()
		set(CONFIG_UTF8VAL y)
		set(CONFIG_UTF8VAL_ENGINE_$1 y)
		add_subdirectory($2/zephyr utf8val)
		add_executable(consumer consumer.c)
		target_link_libraries(consumer PRIVATE utf8val)
	EOF
	cmake -B build && cmake --build build && ./build/consumer
}

# what PlatformIO compiles and which directory it adds, out of library.json
# shellcheck disable=SC2046 # a list of options
platformio() {
	consumer platformio &&
	/usr/bin/python3 - "$package" >arguments <<-EOF &&
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
		assert files
		print("-I", package / build["includeDir"], *build["flags"], *files)
	EOF
	cc $(cat arguments) consumer.c -o consumer && ./consumer
}

cmsis_pack() {
	xmllint --noout "$package/utf8val.utf8val.pdsc" &&
	/usr/bin/python3 - "$package" <<-EOF
		import pathlib, sys
		import xml.etree.ElementTree as tree
		package = pathlib.Path(sys.argv[1])
		pack = tree.parse(package / "utf8val.utf8val.pdsc").getroot()
		for tag in ("vendor", "name", "description", "license", "releases"):
		    assert pack.find(tag) is not None, tag
		assert (package / pack.findtext("license")).is_file()
		files = pack.findall("components/component/files/file")
		assert files and all((package / f.get("name")).exists() for f in files)
		conditions = {c.get("id") for c in pack.findall("conditions/condition")}
		for component in pack.findall("components/component"):
		    assert component.get("condition") in conditions
	EOF
}

repository=$(realpath "$here/../../..")
point "CMake add_subdirectory" cmake_sub sub "$package"
point "CMake add_subdirectory, word engine" \
	cmake_sub word "$package" -DUTF8VAL_ENGINE=word
point "CMake add_subdirectory of the repository" \
	cmake_sub repository "$repository/freestanding/package"
point "CMake for Cortex-M0+, no library" cmake_cross
point "CMake refuses an unknown engine" cmake_refuses
point "CMake find_package" cmake_installed
point "pkg-config, installed by CMake" pkg_config installed
point "Meson subproject" meson_subproject compact
point "Meson install" meson_installed
point "pkg-config, installed by Meson" pkg_config meson-installed
point "amalgamated header in C" amalgamated "cc -std=c11" COMPACT
point "amalgamated header in C++, word engine" amalgamated "c++ -x c++" WORD
point "Zephyr module.yml and Kconfig" zephyr_module
point "Zephyr CMake, compact engine" zephyr_cmake COMPACT "$package"
point "Zephyr CMake, word engine" zephyr_cmake WORD "$package"
point "Zephyr CMake out of the repository" \
	zephyr_cmake COMPACT "$repository/freestanding/package"
point "PlatformIO library.json" platformio
point "CMSIS-Pack description" cmsis_pack
tap_end
