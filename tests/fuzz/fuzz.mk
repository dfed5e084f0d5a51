# SPDX-License-Identifier: GPL-2.0-only OR MIT
# libFuzzer targets, with AddressSanitizer and UndefinedBehaviorSanitizer: every
# function of the core against the oracle.

FUZZERS := $(foreach engine,COMPACT WORD FAST,bytes-$(engine) stream-$(engine)) forms-COMPACT
FUZZ_CC := clang -O1 -g -std=gnu11 $(WARNINGS) \
	-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
FUZZB := $(B)/fuzz

# the sources that a target needs besides the core
fuzz-forms := -I. forms/utf8val_forms.c
fuzz-bytes := tests/checks.c

# The seconds for each target, with as many targets at a time as there are
# processors. check-all only makes sure that the targets work.
FUZZ_SECONDS ?= 5

$(FUZZB)/seeds: tools/gen/vectors.py
	@rm -rf $@ $@.new && mkdir -p $@.new
	@$(PYTHON) tools/gen/vectors.py --seeds $@.new && mv $@.new $@

define fuzz-target
$(FUZZB)/$1: tests/fuzz/$(firstword $(subst -, ,$1)).c tests/fuzz/fuzz.h \
		tests/oracle.c tests/oracle.h tests/checks.c tests/checks.h tests/vectors.h \
		$(CORE) $(FORMS) tests/fuzz/fuzz.mk
	@mkdir -p $$(@D)
	@$(FUZZ_CC) -DUTF8VAL_ENGINE_$(lastword $(subst -, ,$1))=1 $$< \
		tests/oracle.c utf8val.c $(fuzz-$(firstword $(subst -, ,$1))) \
		-o $$@
endef
$(foreach fuzzer,$(FUZZERS),$(eval $(call fuzz-target,$(fuzzer))))

needs-fuzz: $(FUZZERS:%=$(FUZZB)/%) $(FUZZB)/seeds
suite-fuzz:
	@tests/fuzz/run.sh $(FUZZB) $(FUZZ_SECONDS) $(FUZZERS)

fuzz: FUZZ_SECONDS := 600
fuzz: deps-fuzz suite-fuzz ## fuzz each function for 10 minutes (FUZZ_SECONDS=)

.PHONY: fuzz
