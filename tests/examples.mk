# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The examples, which docs/library.md shows: compiled, run, and their output checked.

EXAMPLES := $(wildcard examples/*.c)
EXAMPLE_PROGRAMS := $(EXAMPLES:examples/%.c=$(B)/examples/%)

$(B)/examples/%: examples/%.c $(CORE) tests/examples.mk
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 $(CFLAGS) $(WARNINGS) -I. $< utf8val.c -o $@

examples: $(EXAMPLE_PROGRAMS) ## build the examples
	@printf '  %s\n' $^

needs-examples: $(EXAMPLE_PROGRAMS)

.PHONY: examples
