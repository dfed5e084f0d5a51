# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Host tests of the core.

HOST_TESTS := $(wildcard tests/*.c)
HOST_CFLAGS := -std=gnu11 -D_GNU_SOURCE -g -pthread $(WARNINGS)

# gcc and clang, with and without optimisation, 32 bits; sanitizers. The first
# takes its time, the others look at fewer strings.
HOST_BUILDS := gcc-O2 gcc-O0 gcc-O3-m32 clang-O2 gcc-O1-sanitized \
	gcc-O2-word gcc-O2-m32-word clang-O1-sanitized-word
HOST_gcc-O2 := gcc -O2
HOST_gcc-O0 := gcc -O0
HOST_gcc-O3-m32 := gcc -O3 -m32
HOST_gcc-O2-word := gcc -O2 -DUTF8VAL_ENGINE_WORD=1
HOST_gcc-O2-m32-word := gcc -O2 -m32 -DUTF8VAL_ENGINE_WORD=1
HOST_clang-O2 := clang -O2
HOST_gcc-O1-sanitized := gcc -O1 -fsanitize=address,undefined \
	-fno-sanitize-recover=all
HOST_clang-O1-sanitized-word := clang -O1 -fsanitize=address,undefined \
	-fno-sanitize-recover=all -DUTF8VAL_ENGINE_WORD=1

SUITES += lint $(HOST_BUILDS:%=host-%)

$(B)/host/%: $(CORE) $(HOST_TESTS) tests/checks.h tests/oracle.h tests/tests.mk
	@mkdir -p $(@D)
	@$(HOST_$*) $(HOST_CFLAGS) utf8val.c $(HOST_TESTS) -o $@

$(B)/host/forms.so: $(CORE) utf8val_forms.c utf8val_forms.h \
		utf8val_forms_tables.h
	@mkdir -p $(@D)
	@$(CC) -O2 -std=gnu11 $(WARNINGS) -shared -fPIC utf8val.c \
		utf8val_forms.c -o $@

SUITES += forms
suite-forms: $(B)/host/forms.so
	@tests/forms.py $<

lint: deps suite-lint ## check the sources' form; TAP

suite-lint:
	@tests/lint.sh

$(HOST_BUILDS:%=suite-host-%): suite-host-%: $(B)/host/%
	@$< $(if $(filter gcc-O2,$(@:suite-host-%=%)),,--short)

check-exhaustive: deps $(B)/host/gcc-O2 ## every string of four bytes against the oracle, minutes
	$(B)/host/gcc-O2 --exhaustive

.PHONY: lint suite-lint suite-forms check-exhaustive $(HOST_BUILDS:%=suite-host-%)
