# SPDX-License-Identifier: GPL-2.0-only OR MIT
# libFuzzer targets, with AddressSanitizer and UndefinedBehaviorSanitizer: every
# function of the core against the oracle.

FUZZ_CC := clang -O1 -g -std=gnu11 $(WARNINGS) \
	-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
FUZZB := $(B)/fuzz

# the sources that a target needs besides the core
fuzz-forms := -I. forms/utf8val_forms.c
fuzz-bytes := tests/checks.c

$(FUZZB)/seeds: tools/gen/vectors.py
	@rm -rf $@ $@.new && mkdir -p $@.new
	@$(PYTHON) tools/gen/vectors.py --seeds $@.new && mv $@.new $@

# a target's name is SOURCE-ENGINE
fuzz-word = $(word $1,$(subst -, ,$(@F)))
$(FUZZB)/%: $(wildcard tests/fuzz/*.[ch]) tests/oracle.c tests/oracle.h tests/checks.c \
		tests/checks.h tests/vectors.h $(CORE) $(FORMS) tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	@$(FUZZ_CC) -DUTF8VAL_ENGINE_$(call fuzz-word,2)=1 tests/fuzz/$(call fuzz-word,1).c tests/oracle.c utf8val.c \
		$(fuzz-$(call fuzz-word,1)) -o $@

# Each target runs for some seconds, with as many at a time as there are processors.
# check-all only makes sure that the targets work.
fuzz: export FUZZ_SECONDS := 600
fuzz: deps-fuzz suite-fuzz ## fuzz each function for 10 minutes (FUZZ_SECONDS=)

.PHONY: fuzz
