#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck disable=SC2317,SC2086 # point() calls the functions; words in variables
# Use the single header as README.md describes, with no macro or that of an engine. The
# program has one file or two, in C and C++, from GCC and Clang, with 64 and 32 bits.
# The suite single-header runs this; TAP on standard output.
#
# Usage: freestanding/package/test/single.sh HEADER   what amalgamate.py made
set -u
header=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
repository=$(realpath "$here/../../..")
. "$repository/tests/lib/tap.sh"
host_tests=$(sed -n 's/^HOST_TESTS := //p' "$repository/tests/tests.mk")
"$repository/tools/gen/vectors.py" -o "$tmp/vectors.c" || exit 1
cp "$header" "$tmp/utf8val_single.h"
cd "$tmp" || exit 1

# it stands first, so that it includes by itself what it needs
sed 's/<utf8val\.h>/"utf8val_single.h"/' "$here/consumer.c" >consumer.c
for engine in "" COMPACT WORD FAST VECTOR MVE; do
	{
		[ -z "$engine" ] || echo "#define UTF8VAL_ENGINE_$engine 1"
		echo "#define UTF8VAL_IMPLEMENTATION"
		echo '#include "utf8val_single.h"'
	} >"implementation$engine.c"
done
cat "implementation.c" consumer.c >alone.c

# the consumer's exit status says which of its functions failed
run() {
	case $1 in
	-m32) "$repository/tests/lib/run-i386.sh" "$2" ;;
	*) "$2" ;;
	esac
}

strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

# two_files COMPILER WIDTH ENGINE LANGUAGE
two_files() {
	$1 $2 -x $4 $strict -c consumer.c -o consumer.o &&
	$1 $2 -O2 -std=c11 $strict -c "implementation$3.c" -o implementation.o &&
	$1 $2 consumer.o implementation.o -o consumer && run "$2" ./consumer
}

one_file() {
	$1 -std=c11 $strict alone.c -o alone && ./alone
}

# all tests of the core, with this for utf8val.c and utf8val.h
tests() {
	mkdir -p all/tests && cp utf8val_single.h all/utf8val.h &&
	cp vectors.c "$repository"/tests/*.[ch] all/tests &&
	sed 's/utf8val_single\.h/utf8val.h/' implementation.c >all/implementation.c &&
	cd all &&
	gcc -std=gnu11 -D_GNU_SOURCE -O2 -pthread implementation.c $host_tests \
		tests/vectors.c -o host ||
		return 1
	./host >out || { grep -v '^ok' out; return 1; }
	grep '^1\.\.[1-9]' out
}

# names ENGINE: all names that the header adds to a file begin with utf8val_ or UTF8VAL_. These
# are functions and data, also local ones (names.0 is inside a function), macros, tags.
names() {
	file=implementation$1.c
	clang -O0 -c "$file" -o names.o &&
	nm names.o | sed -n 's/^[0-9a-f]* [A-Za-z] //p' | grep -v '^\.' >symbols &&
	grep -q '^utf8val_prefix$' symbols && ! grep -v '^utf8val_' symbols || return 1
	grep '^#include' utf8val_single.h | grep -v '<arm_' | sort -u >includes.c &&
	clang -E -dM includes.c | sort >before &&
	clang -E -dM "$file" | sort | comm -13 before - >macros &&
	grep -q UTF8VAL_LEAD_FIRST macros && ! grep -v '^#define UTF8VAL_' macros &&
	! grep -wE '(struct|enum|union) [a-z]' utf8val_single.h |
		grep -vE '(struct|enum|union) utf8val_|\*'
}

in_cxx() {
	ends 1 "implementation is C" c++ -x c++ -c implementation.c
}

# built WHAT COMMAND...: the object has the tables of the fast engine, or not
built() {
	want=$1
	shift
	"$@" -o built.o && nm built.o >symbols && grep utf8val_prefix symbols &&
	case $want in
	fast) grep utf8val_fast_rows symbols ;;
	*) ! grep utf8val_fast_rows symbols ;;
	esac
}

# The header alone, with and without the inline path.
no_warning() {
	for language in c c++; do
		for level in -O0 -O2; do
			clang -Weverything -Werror $level -x $language \
				-fsyntax-only header.c || return 1
		done
	done
}

# in C99 and later, without extensions
pedantic() {
	for file in implementation*.c; do
		case $file in *MVE*) continue ;; esac
		for compiler in gcc clang; do
			$compiler -std=c99 -Wall -Wextra -Wpedantic -Werror -O2 \
				-c "$file" -o pedantic.o || return 1
		done
	done
}

# misused WORD CALL: the call, of next() or prev(), stops either compiler, which says WORD
misused() {
	printf '%s\n' '#include "utf8val_single.h"' \
		'void misuse(const uint8_t *pos, const uint8_t *end, uint32_t *cp);' \
		'void misuse(const uint8_t *pos, const uint8_t *end, uint32_t *cp)' \
		"{ (void)pos; (void)end; (void)cp; $2; }" >misuse.c
	for compiler in gcc clang; do
		for level in -O0 -O2; do
			ends 1 "$1" $compiler $level -Wall -Werror -c misuse.c \
				-o misuse.o || return 1
		done
	done
}
echo '#include "utf8val_single.h"' >header.c

point "Clang's -Weverything is silent about the header" no_warning
point "C99 without extensions: no warning" pedantic
for name in next prev; do
	point "$name: swapped arguments do not compile" misused incompatible \
		"if (utf8val_$name(end, &pos, cp)) return"
	point "$name: a dropped result is an error" misused unused-result \
		"utf8val_$name(&pos, end, cp)"
	point "$name: a signed code point is an error" misused "sign" \
		"int32_t value; if (utf8val_$name(&pos, end, &value)) return"
done
# library VERSION [OPTION]...: an object file with that version of utf8val in it, and a
# function that returns what it says of itself
library() {
	version=$1
	shift
	mkdir -p "lib$version" &&
	sed "s/^#define UTF8VAL_VERSION .*/#define UTF8VAL_VERSION \"$version\"/" \
		utf8val_single.h >"lib$version/utf8val_single.h" &&
	cat >"lib$version/lib.c" <<-EOF &&
		#define UTF8VAL_IMPLEMENTATION
		#include "utf8val_single.h"
		const char *version_$version(void);
		const char *version_$version(void)
		{
			return utf8val_version();
		}
	EOF
	gcc -O2 $strict -fPIC "$@" -c "lib$version/lib.c" -o "lib$version.o"
}

versions() {
	cat >versions.c <<-EOF
		#include <string.h>
		const char *version_one(void);
		const char *version_two(void);
		int main(void)
		{
			return strcmp(version_one(), "one") || strcmp(version_two(), "two");
		}
	EOF
	gcc versions.c "$@" -Wl,-rpath,. -o versions && ./versions
}

shared() {
	for version in one two; do
		library $version "$@" &&
		gcc -shared "lib$version.o" -o "lib$version.so" || return 1
	done
	versions ./libone.so ./libtwo.so
}

hidden() {
	shared && nm -D libone.so >symbols && grep version_one symbols &&
		! grep utf8val symbols
}

# shared() has teeth: it fails where the functions are visible
visible() {
	! shared "-DUTF8VAL_API=__attribute__((__visibility__(\"default\")))"
}

prefixed() {
	library one -DUTF8VAL_PREFIX=one_ && library two -DUTF8VAL_PREFIX=two_ &&
	versions libone.o libtwo.o && nm libone.o >symbols &&
	grep ' T one_utf8val_next$' symbols && ! grep ' T utf8val' symbols
}

# a C file of its own, whose functions C++ calls
private() {
	for compiler in gcc clang; do
		for level in -O0 -O2; do
			library one $level -DUTF8VAL_STATIC &&
			$compiler $level $strict -DUTF8VAL_STATIC -c libone/lib.c \
				-o libone.o || return 1
		done
	done
	nm libone.o >symbols && ! grep ' [TW] utf8val' symbols || return 1
	printf '%s\n' 'extern "C" const char *version_one(void);' \
		'int main() { return version_one()[0] != '"'o'; }" >private.cc &&
	c++ private.cc libone.o -o private && ./private
}

point "two versions in two shared libraries, which call their own" hidden
point "they would not if the functions were visible" visible
point "two versions in one program by UTF8VAL_PREFIX" prefixed
point "UTF8VAL_STATIC: nothing is visible, nothing is said of what is not used" private
for engine in "" COMPACT WORD FAST; do
	for compiler in gcc clang; do
		for width in -m64 -m32; do
			for language in c c++; do
				point "${engine:-no macro}: $compiler $width, $language" \
					two_files $compiler $width "$engine" $language
			done
		done
	done
	point "${engine:-no macro}: all names have the prefix" names "$engine"
done
point "no macro: the tests of the core" tests
point "MVE: gcc, Cortex-M55" arm-none-eabi-gcc -mcpu=cortex-m55 -mfloat-abi=softfp \
	-mthumb -ffreestanding $strict -c implementationMVE.c
point "program and implementation in one file, gcc" one_file gcc
point "program and implementation in one file, clang" one_file clang
point "implementation in C++: a clear refusal" in_cxx
windows="clang --target=x86_64-w64-windows-gnu -ffreestanding"
point "64-bit Windows gets the fast engine" built fast $windows -c implementation.c
point "and the compact one where asked" \
	built compact $windows -DUTF8VAL_ENGINE_COMPACT=1 -c implementation.c
point "an engine defined to 0 is not chosen" built fast gcc -m64 \
	-DUTF8VAL_ENGINE_COMPACT=0 -DUTF8VAL_ENGINE_WORD=0 -c implementation.c
point "nor the fast one" built compact gcc -m64 -DUTF8VAL_ENGINE_FAST=0 \
	-c implementation.c
tap_end
