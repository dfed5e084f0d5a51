# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Host tests of the core.

HOST_TESTS := tests/host.c tests/checks.c tests/vectors.c tests/oracle.c
HOST_CFLAGS := -std=gnu11 -D_GNU_SOURCE -g -pthread $(WARNINGS)

# A build's name says all of it, as in clang-O1-m32-word-sanitized; without an
# engine in it the header's own choice: fast with 64 bits, compact with 32.
# Other processors are emulated: static, so that they need no library.
host-has = $(filter $1,$(subst -, ,$2))
HOST_BIG_ENDIAN := s390x ppc64
HOST_EMULATED := $(HOST_BIG_ENDIAN) aarch64 armhf riscv64 ppc64le
gcc-s390x := s390x-linux-gnu-gcc
gcc-ppc64 := powerpc64-linux-gnu-gcc
gcc-aarch64 := aarch64-linux-gnu-gcc
gcc-armhf := arm-linux-gnueabihf-gcc
gcc-riscv64 := riscv64-linux-gnu-gcc
gcc-ppc64le := powerpc64le-linux-gnu-gcc
# the vector unit's engine, with a stand-in for the compiler's header
STAND_IN := tests/mve/arm_mve.h
host-mve := -DUTF8VAL_ENGINE_MVE=1 -D__ARM_FEATURE_MVE=1 -I$(dir $(STAND_IN))
host-emulated = $(call host-has,$(HOST_EMULATED),$1)
host-compile = $(if $(host-emulated),$(gcc-$(host-emulated)) -static,\
	$(call host-has,gcc clang,$1)) \
	$(addprefix -,$(call host-has,O0 O1 O2 O3 m32,$1)) \
	$(engine-$(call host-has,compact word fast,$1)) \
	$(if $(call host-has,mve,$1),$(host-mve)) \
	$(if $(call host-has,sanitized,$1),-fsanitize=address \
		-fsanitize=undefined -fno-sanitize-recover=all)
host-run = $(if $(host-emulated),qemu-$(host-emulated:armhf=arm),\
	$(if $(call host-has,m32,$1),tests/lib/run-i386.sh))

# What make check runs: every engine with every level, either compiler and either
# width; the fast one, which has most ways through, with either compiler at every
# level. The first takes its time, the others look at fewer strings.
HOST_BUILDS := gcc-O2 \
	gcc-O0-fast gcc-O1-fast gcc-O3-fast gcc-O2-m32-fast \
	clang-O0-fast clang-O1-fast clang-O2-fast clang-O3-fast \
	clang-O2-m32-fast \
	clang-O0-compact gcc-O1-compact clang-O2-m32-compact gcc-O3-m32 \
	clang-O0-word gcc-O1-m32-word clang-O2-m32-word gcc-O3-word \
	gcc-O1-sanitized gcc-O1-compact-sanitized clang-O1-word-sanitized \
	gcc-O1-mve-sanitized clang-O2-mve \
	s390x-O2-fast

# What make check-exhaustive runs besides: all there are (the word engine is for
# little-endian machines).
HOST_ENGINES := fast compact word
HOST_LEVELS := O0 O1 O2 O3
HOST_ALL := $(sort $(HOST_BUILDS) $(foreach level,$(HOST_LEVELS),\
	$(foreach engine,$(HOST_ENGINES),$(foreach compiler,gcc clang,\
		$(compiler)-$(level)-$(engine) \
		$(compiler)-$(level)-m32-$(engine)))) \
	$(foreach level,O0 O2,$(foreach processor,$(HOST_EMULATED),\
		$(processor)-$(level)-fast $(processor)-$(level)-compact \
		$(if $(filter $(HOST_BIG_ENDIAN),$(processor)),,\
			$(processor)-$(level)-word))))
HOST_EXHAUSTIVE := $(HOST_ENGINES:%=gcc-O2-%)

# how much: all of it in the first build
host-short = $(if $(filter gcc-O2,$1),,--short)

SUITES += lint $(HOST_BUILDS:%=host-%) $(HOST_BUILDS:%=texts-%)

$(B)/host/%: $(CORE) $(HOST_TESTS) tests/checks.h tests/oracle.h tests/tests.mk $(STAND_IN)
	@mkdir -p $(@D)
	@$(call host-compile,$*) $(HOST_CFLAGS) utf8val.c $(HOST_TESTS) -o $@

$(B)/texts/%: $(CORE) tests/texts.c tests/oracle.c tests/oracle.h tests/tests.mk $(STAND_IN)
	@mkdir -p $(@D)
	@$(call host-compile,$*) $(HOST_CFLAGS) utf8val.c tests/texts.c tests/oracle.c -o $@

$(B)/host/forms.so: $(CORE) $(FORMS)
	@mkdir -p $(@D)
	@$(CC) -O2 -std=gnu11 $(WARNINGS) -I. -shared -fPIC utf8val.c \
		forms/utf8val_forms.c -o $@

SUITES += tally
suite-tally:
	@tests/tally.sh

SUITES += dist
suite-dist:
	@tests/dist.sh $(B)/dist-test

SUITES += pages pages-run
suite-pages: $(B)/utf8val $(B)/utf8val-guard
	@tests/pages.py $(B)
suite-pages-run: $(B)/utf8val $(B)/utf8val-guard
	@tests/pages_run.py $(B)

# what people type wrong, and where they install
SUITES += goals
suite-goals: $(B)/utf8val $(B)/libutf8val.a $(B)/utf8val-guard
	@tests/goals.sh

# recipes for users: in a kernel tree of kernel.sh's, and in the archive
SUITES += ci
suite-ci:
	@tree=$$(vm/kernel.sh --tree ci $(KERNEL_VERSION)) && \
		archive=$$(tools/dist.sh $(B)/dist-ci) && \
		flock "$$tree.lock" tests/ci.py "$$tree" "$$archive"

SUITES += kernel-form
suite-kernel-form:
	@tests/kernel-form.sh

SUITES += forms
suite-forms: $(B)/host/forms.so
	@tests/forms.py $<

# of the security module, with the proof's model of the kernel's headers
$(B)/host/options: tests/options.c kernel/lsm/options.c $(wildcard kernel/*.h \
		kernel/lsm/*.h proof/spec/*.h proof/spec/linux/*.h)
	@mkdir -p $(@D)
	$(CC) -std=c11 -O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined \
		-fno-sanitize-recover=all -I. -Iproof/spec -Ikernel/include $< -o $@

SUITES += options
suite-options: $(B)/host/options
	@$<

lint: deps-lint deps-misra suite-lint suite-firmware-misra ## check the form of the sources, MISRA C included; TAP

suite-lint:
	@tests/lint.sh

$(HOST_ALL:%=suite-host-%): suite-host-%: $(B)/host/%
	@$(call host-run,$*) $< $(call host-short,$*)

$(HOST_ALL:%=suite-texts-%): suite-texts-%: $(B)/texts/%
	@$(call host-run,$*) $< $(call host-short,$*)

$(HOST_EXHAUSTIVE:%=suite-exhaustive-%): suite-exhaustive-%: $(B)/host/%
	@$< --exhaustive

# All strings of four bytes, 32 and 64 bit, half a minute each.
FOUR_BYTES := compact-32 compact-64 word-32 word-64
$(B)/exhaustive/%: tests/exhaustive.c $(CORE)
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -O2 -m$(lastword $(subst -, ,$*)) $(WARNINGS) \
		$(engine-$(firstword $(subst -, ,$*))) \
		tests/exhaustive.c utf8val.c -o $@

SUITES += four-bytes
suite-four-bytes: $(FOUR_BYTES:%=$(B)/exhaustive/%)
	@. tests/lib/tap.sh; for program in $^; do \
		name="all strings of four bytes, $${program##*/}"; \
		case $$program in *-32) \
			if ! tests/lib/run-i386.sh --native $$program; then \
				skip "$$name" "this kernel runs no 32-bit programs,\
 and 2^32 strings take too long under emulation"; \
				continue; \
			fi ;; \
		esac; \
		point "$$name" $$program; \
	done; tap_end

.PHONY: suite-four-bytes

# All strings of three bytes where blocks of vectors meet.
$(B)/across: tests/across.c tests/oracle.c tests/oracle.h $(STAND_IN) $(CORE)
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -O2 $(WARNINGS) $(host-mve) tests/across.c \
		tests/oracle.c utf8val.c -o $@

SUITES += three-bytes
suite-three-bytes: $(B)/across
	@. tests/lib/tap.sh; \
	point "all strings of three bytes across two blocks, MVE engine" $<; \
	tap_end

.PHONY: suite-three-bytes

# The command's check by AVX2 against the core.
AVX2_BUILDS := gcc-O2 clang-O2 gcc-O1-sanitized
AVX2_TEST := tests/avx2.c tools/command/vector.c
$(B)/avx2/%: $(AVX2_TEST) tools/command/vector.h tools/command/avx2.h $(CORE)
	@mkdir -p $(@D)
	@$(call host-compile,$*) $(HOST_CFLAGS) -I. $(AVX2_TEST) utf8val.c -o $@

SUITES += $(AVX2_BUILDS:%=avx2-%)
$(AVX2_BUILDS:%=suite-avx2-%): suite-avx2-%: $(B)/avx2/%
	@$< $(call host-short,$*)

.PHONY: $(AVX2_BUILDS:%=suite-avx2-%)

check-exhaustive: deps-check deps-host-all deps-command-processors $(B)/skips ## try all strings of four bytes with each engine, every build of the host's tests, the command on other processors
	@$(TALLY) $(HOST_EXHAUSTIVE:%=exhaustive-%) \
		$(HOST_ALL:%=host-%) $(HOST_ALL:%=texts-%) $(EMULATED_SUITES)

.PHONY: lint suite-lint suite-tally suite-dist suite-pages suite-pages-run suite-goals suite-ci \
	suite-forms suite-options suite-kernel-form check-exhaustive \
	$(HOST_ALL:%=suite-host-%) $(HOST_ALL:%=suite-texts-%) \
	$(HOST_EXHAUSTIVE:%=suite-exhaustive-%)
