# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Tests of the core on the host, and its proof.

# The vectors that all runners share; each runner finds vectors.h by -Itests.
VECTORS := $(B)/vectors.c
$(VECTORS): tools/gen/vectors.py
	@$(PYTHON) $< -o $@

HOST_TESTS := tests/host.c tests/texts.c tests/checks.c tests/oracle.c
HOST_TESTS += $(VECTORS)
HOST_HEADERS := tests/checks.h tests/vectors.h tests/guarded.h tests/oracle.h
HOST_CFLAGS := -std=gnu11 -D_GNU_SOURCE -g -pthread -Itests $(WARNINGS)

# The name of a build says how it is built, as in clang-O1-m32-word-sanitized. A name
# without an engine takes the header's own choice: vector or fast with 64 bits, compact
# with 32. With avx2 and integers the processor seems to lack AVX-512, or both. standin and
# standin2 have a stand-in for the compiler's header, with AVX-512 and with AVX2. Programs
# for other architectures, named as in vm/architectures, are emulated, and static, so that
# they need no library.
host-has = $(filter $1,$(subst -, ,$2))
host-emulated = $(call host-has,arm arm64 ppc64 ppc64el riscv64 s390x,$1)
# The engine for the vector unit, with a stand-in for the header of the compiler.
STAND_IN := tests/mve/arm_mve.h
host-mve := -DUTF8VAL_ENGINE_MVE=1 -D__ARM_FEATURE_MVE=1 -I$(dir $(STAND_IN))
VECTOR_STAND_IN := tests/vector/immintrin.h
host-avx2 := -DUTF8VAL_HAS_AVX512=0
host-integers := -DUTF8VAL_HAS_AVX512=0 -DUTF8VAL_HAS_AVX2=0
host-standin := -DUTF8VAL_HAS_AVX512=1 -I$(dir $(VECTOR_STAND_IN))
host-standin2 := -DUTF8VAL_HAS_AVX512=0 -DUTF8VAL_HAS_AVX2=1 -I$(dir $(VECTOR_STAND_IN))
host-compile = $(if $(host-emulated),$(prefix-$(host-emulated))gcc -static,\
	$(call host-has,gcc clang,$1)) \
	$(addprefix -,$(call host-has,O0 O1 O2 O3 m32,$1)) \
	$(engine-$(call host-has,compact word fast vector,$1)) \
	$(if $(call host-has,mve,$1),$(host-mve)) \
	$(foreach word,$(call host-has,avx2 integers standin standin2,$1),$(host-$(word))) \
	$(if $(call host-has,sanitized,$1),-fsanitize=address \
		-fsanitize=undefined -fno-sanitize-recover=all) \
	$(if $(call host-has,memory,$1),-fsanitize=memory)

$(B)/host/%: $(CORE) $(HOST_TESTS) $(HOST_HEADERS) tests/tests.mk $(STAND_IN) $(VECTOR_STAND_IN)
	$(Q) $(call host-compile,$*) $(HOST_CFLAGS) utf8val.c $(HOST_TESTS) -o $@

# The kernel's functions in the place of the core's.
$(B)/host/%-kernel: kernel/core.c kernel/include/linux/utf8val.h kernel/utf8val_rows.h \
		$(wildcard tests/kernel/linux/*.h) $(CORE) $(HOST_TESTS) $(HOST_HEADERS) tests/tests.mk
	$(Q) $(call host-compile,$*) $(HOST_CFLAGS) -c utf8val.c -o $@-core.o \
		$(foreach name,valid check reason_name,-Dutf8val_$(name)=core_$(name))
	@$(call host-compile,$*) -std=gnu11 -g -Wall -Wextra -Werror -Ikernel/include \
		-Itests/kernel -c kernel/core.c -o $@-kernel.o
	@$(call host-compile,$*) $(HOST_CFLAGS) $(HOST_TESTS) $@-core.o $@-kernel.o -o $@

# for a shared library that others call
EXPORTED := '-DUTF8VAL_API=__attribute__((__visibility__("default")))'
$(B)/host/forms.so: $(CORE) $(FORMS)
	$(Q) $(CC) -O2 -std=gnu11 $(WARNINGS) -I. $(EXPORTED) -shared -fPIC utf8val.c \
		forms/utf8val_forms.c -o $@

# The examples, which docs/library.md shows: compiled, run, and their output checked.
$(B)/examples/%: examples/%.c $(CORE) tests/tests.mk
	$(Q) $(CC) -std=gnu11 $(CFLAGS) $(WARNINGS) -I. $< utf8val.c -o $@
examples: $(patsubst %.c,$(B)/%,$(wildcard examples/*.c)) ## build the examples
	@printf '  %s\n' $^

lint: deps-lint-code deps-misra suite-lint suite-lint-code suite-firmware-misra ## check the form of the sources, MISRA C included; TAP

# The proof's specification, to be compared with the oracle.
$(B)/host/rfc3629: tests/rfc3629.c tests/oracle.c tests/oracle.h proof/rfc3629.h utf8val.h
	$(Q) $(CC) -std=gnu11 -O2 $(WARNINGS) -I. tests/rfc3629.c tests/oracle.c -o $@

# The peers of the firmware's comparison are right.
$(B)/peers: tests/peers.c tests/oracle.c tests/oracle.h $(wildcard freestanding/bench/peers.*)
	$(Q) $(CC) -std=gnu11 -O2 $(filter-out -Wpedantic,$(WARNINGS)) -I. tests/peers.c \
		tests/oracle.c freestanding/bench/peers.c -o $@

# The core with counters and without optimisation, which would merge what is counted. A
# function that is always inlined would be counted at each place apart: so none is. The
# counters are plain memory, which two threads would spoil for each other.
$(B)/coverage/%/utf8val.o: $(CORE) $(STAND_IN) tests/tests.mk
	$(Q) gcc-14 $(wordlist 2,9,$(call host-compile,gcc-O0-$*)) -std=gnu11 --coverage \
		-fcondition-coverage -D__always_inline__=__unused__ -c utf8val.c -o $@
$(B)/coverage/%/host: $(B)/coverage/%/utf8val.o $(HOST_TESTS) $(HOST_HEADERS)
	@gcc-14 -O2 $(HOST_CFLAGS) -DMOST_THREADS=1 $(HOST_TESTS) $< -lgcov -o $@

# libFuzzer programs SOURCE-ENGINE, with AddressSanitizer and UndefinedBehaviorSanitizer:
# every function of the core against the oracle.
fuzz-word = $(word $1,$(subst -, ,$(@F)))
$(B)/fuzz/%: $(wildcard tests/fuzz/*.[ch]) $(HOST_TESTS) $(HOST_HEADERS) $(CORE) tests/tests.mk
	$(Q) clang -O1 -g -std=gnu11 $(WARNINGS) -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=all -DUTF8VAL_ENGINE_$(call fuzz-word,2)=1 \
		tests/fuzz/$(call fuzz-word,1).c tests/checks.c tests/oracle.c utf8val.c -o $@
$(B)/fuzz/seeds: tools/gen/vectors.py
	@rm -rf $@ $@.new && mkdir -p $@.new
	@$(PYTHON) tools/gen/vectors.py --seeds $@.new && mv $@.new $@

# Repair and count, compared with CPython's and Node.js's decoders.
$(B)/differential/repair-%.so: $(CORE) tests/tests.mk
	$(Q) $(CC) -std=gnu11 -O2 -g $(WARNINGS) -DUTF8VAL_ENGINE_$*=1 $(EXPORTED) -shared -fPIC \
		utf8val.c -o $@

proof: deps-proof ## prove the rows of proof/README.md with CBMC, on the sources as they ship
	@proof/prove.py

proof-mutants: deps-proof ## break the sources in many single places; the proof must fail on each
	@proof/prove.py --mutants
