# SPDX-License-Identifier: GPL-2.0-only OR MIT
# libFuzzer targets, with AddressSanitizer and UndefinedBehaviorSanitizer: every
# function of the core against the oracle.

# Those that depend on the engine, with each; the others with one.
FUZZ_ENGINES := COMPACT WORD FAST
FUZZERS := $(foreach engine,$(FUZZ_ENGINES),check-$(engine) stream-$(engine)) \
	walk-COMPACT step-COMPACT encode-COMPACT replace-COMPACT
FUZZ_CC := clang -O1 -g -std=gnu11 $(WARNINGS) \
	-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
FUZZB := $(B)/fuzz

# of all targets together
FUZZ_SECONDS ?= 60

SUITES += fuzz

$(FUZZB)/seeds: tests/fuzz/seeds.c tests/vectors.c tests/checks.h
	@rm -rf $@ $@.new && mkdir -p $@.new
	@$(CC) -std=gnu11 $(WARNINGS) tests/fuzz/seeds.c tests/vectors.c \
		-o $(FUZZB)/write-seeds
	@$(FUZZB)/write-seeds $@.new && mv $@.new $@

define fuzz-target
$(FUZZB)/$1: tests/fuzz/$(firstword $(subst -, ,$1)).c tests/fuzz/fuzz.h \
		tests/oracle.c tests/oracle.h $(CORE) tests/fuzz/fuzz.mk
	@mkdir -p $$(@D)
	@$(FUZZ_CC) -DUTF8VAL_ENGINE_$(lastword $(subst -, ,$1))=1 $$< \
		tests/oracle.c utf8val.c -o $$@
endef
$(foreach fuzzer,$(FUZZERS),$(eval $(call fuzz-target,$(fuzzer))))

suite-fuzz: $(FUZZERS:%=$(FUZZB)/%) $(FUZZB)/seeds
	@tests/fuzz/run.sh $(FUZZB) $(FUZZ_SECONDS) $(FUZZERS)

fuzz: FUZZ_SECONDS := $(shell expr 600 '*' $(words $(FUZZERS)))
fuzz: deps suite-fuzz ## fuzz each function for 10 minutes (FUZZ_SECONDS= for all of them)

.PHONY: fuzz suite-fuzz
