# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Host tests of the core.

HOST_TESTS := $(wildcard tests/*.c)
HOST_CFLAGS := -std=gnu11 -D_GNU_SOURCE -g $(WARNINGS)

# gcc and clang, with and without optimisation, 32 bits; sanitizers
HOST_BUILDS := gcc-O2 gcc-O0 gcc-O3-m32 clang-O2 gcc-O1-sanitized
HOST_gcc-O2 := gcc -O2
HOST_gcc-O0 := gcc -O0
HOST_gcc-O3-m32 := gcc -O3 -m32
HOST_clang-O2 := clang -O2
HOST_gcc-O1-sanitized := gcc -O1 -fsanitize=address,undefined \
	-fno-sanitize-recover=all

SUITES += lint $(HOST_BUILDS:%=host-%)

$(B)/host/%: $(CORE) $(HOST_TESTS) tests/checks.h tests/oracle.h tests/tests.mk
	@mkdir -p $(@D)
	@$(HOST_$*) $(HOST_CFLAGS) utf8val.c $(HOST_TESTS) -o $@

lint: deps suite-lint ## check the sources' form; TAP

suite-lint:
	@tests/lint.sh

$(HOST_BUILDS:%=suite-host-%): suite-host-%: $(B)/host/%
	@$<

check-exhaustive: deps $(B)/host/gcc-O2 ## every string of four bytes against the oracle, minutes
	$(B)/host/gcc-O2 --exhaustive

.PHONY: lint suite-lint check-exhaustive $(HOST_BUILDS:%=suite-host-%)
