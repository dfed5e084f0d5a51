# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Repair and count, compared with CPython's and Node.js's decoders.

DIFF_CORES := $(patsubst %,$(B)/differential/repair-%.so,COMPACT WORD FAST)
DIFF := tests/differential/differential.py

$(DIFF_CORES): $(B)/differential/repair-%.so: $(CORE) tests/differential/differential.mk
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -O2 -g $(WARNINGS) -DUTF8VAL_ENGINE_$*=1 $(EXPORTED) -shared -fPIC \
		utf8val.c -o $@

check-differential: deps-differential $(DIFF_CORES) ## compare repair with CPython and Node.js on 5 million inputs, minutes
	$(DIFF) --count 5000000 $(DIFF_CORES)

.PHONY: check-differential
