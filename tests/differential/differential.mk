# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Repair and count, compared with CPython's and Node.js's decoders.

DIFF_DRIVERS := $(patsubst %,$(B)/differential/repair-%,COMPACT WORD FAST)
DIFF := tests/differential/differential.py

$(DIFF_DRIVERS): $(B)/differential/repair-%: tests/differential/repair.c $(CORE) \
		tests/differential/differential.mk
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -O2 -g $(WARNINGS) -DUTF8VAL_ENGINE_$*=1 \
		$< utf8val.c -o $@

needs-differential: $(DIFF_DRIVERS)
suite-differential:
	@$(DIFF) $(DIFF_DRIVERS)

check-differential: deps-differential $(DIFF_DRIVERS) ## compare repair with CPython and Node.js on 5 million inputs, minutes
	$(DIFF) --count 5000000 $(DIFF_DRIVERS)

.PHONY: check-differential
