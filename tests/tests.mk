# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Host tests of the core.

HOST_TESTS := $(filter-out tests/texts.c,$(wildcard tests/*.c))
HOST_CFLAGS := -std=gnu11 -D_GNU_SOURCE -g -pthread $(WARNINGS)

# gcc and clang, all levels, 32 and 64 bits, both byte orders, each engine;
# sanitizers. Without a word on it 64 bits take the fast engine, 32 the compact.
# The first takes its time, the others look at fewer strings.
HOST_BUILDS := gcc-O2 gcc-O0 gcc-O1 gcc-O3 clang-O0 clang-O2 clang-O3 \
	gcc-O3-m32 gcc-O2-m32-fast clang-O2-m32-fast gcc-O2-compact \
	clang-O2-compact gcc-O2-word gcc-O2-m32-word gcc-O1-sanitized \
	gcc-O1-sanitized-compact clang-O1-sanitized-word s390x-O2
HOST_gcc-O2 := gcc -O2
HOST_gcc-O0 := gcc -O0
HOST_gcc-O1 := gcc -O1
HOST_gcc-O3 := gcc -O3
HOST_clang-O0 := clang -O0
HOST_clang-O2 := clang -O2
HOST_clang-O3 := clang -O3
HOST_gcc-O3-m32 := gcc -O3 -m32
HOST_gcc-O2-m32-fast := gcc -O2 -m32 -DUTF8VAL_ENGINE_FAST=1
HOST_clang-O2-m32-fast := clang -O2 -m32 -DUTF8VAL_ENGINE_FAST=1
HOST_gcc-O2-compact := gcc -O2 -DUTF8VAL_ENGINE_COMPACT=1
HOST_clang-O2-compact := clang -O2 -DUTF8VAL_ENGINE_COMPACT=1
HOST_gcc-O2-word := gcc -O2 -DUTF8VAL_ENGINE_WORD=1
HOST_gcc-O2-m32-word := gcc -O2 -m32 -DUTF8VAL_ENGINE_WORD=1
HOST_gcc-O1-sanitized := gcc -O1 -fsanitize=address,undefined \
	-fno-sanitize-recover=all
HOST_clang-O1-sanitized-word := clang -O1 -fsanitize=address,undefined \
	-fno-sanitize-recover=all -DUTF8VAL_ENGINE_WORD=1
HOST_gcc-O1-sanitized-compact := $(HOST_gcc-O1-sanitized) \
	-DUTF8VAL_ENGINE_COMPACT=1
# big-endian, emulated; static, so that it needs no library of that machine
HOST_s390x-O2 := s390x-linux-gnu-gcc-12 -O2 -static
RUN_s390x-O2 := qemu-s390x

# how much: all of it in the first build
host-short = $(if $(filter gcc-O2,$1),,--short)

SUITES += lint $(HOST_BUILDS:%=host-%) $(HOST_BUILDS:%=texts-%)

$(B)/host/%: $(CORE) $(HOST_TESTS) tests/checks.h tests/oracle.h tests/tests.mk
	@mkdir -p $(@D)
	@$(HOST_$*) $(HOST_CFLAGS) utf8val.c $(HOST_TESTS) -o $@

$(B)/texts/%: $(CORE) tests/texts.c tests/oracle.c tests/oracle.h tests/tests.mk
	@mkdir -p $(@D)
	@$(HOST_$*) $(HOST_CFLAGS) utf8val.c tests/texts.c tests/oracle.c -o $@

$(B)/host/forms.so: $(CORE) utf8val_forms.c utf8val_forms.h \
		utf8val_forms_tables.h
	@mkdir -p $(@D)
	@$(CC) -O2 -std=gnu11 $(WARNINGS) -shared -fPIC utf8val.c \
		utf8val_forms.c -o $@

SUITES += forms
suite-forms: $(B)/host/forms.so
	@tests/forms.py $<

lint: deps suite-lint suite-firmware-misra ## check the form of the sources, MISRA C included; TAP

suite-lint:
	@tests/lint.sh

$(HOST_BUILDS:%=suite-host-%): suite-host-%: $(B)/host/%
	@$(RUN_$*) $< $(call host-short,$*)

$(HOST_BUILDS:%=suite-texts-%): suite-texts-%: $(B)/texts/%
	@$(RUN_$*) $< $(call host-short,$*)

check-exhaustive: deps $(B)/host/gcc-O2 ## every string of four bytes against the oracle, minutes
	$(B)/host/gcc-O2 --exhaustive

.PHONY: lint suite-lint suite-forms check-exhaustive \
	$(HOST_BUILDS:%=suite-host-%) $(HOST_BUILDS:%=suite-texts-%)
