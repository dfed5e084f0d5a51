/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * TAP of the shared vectors and checks, for a program of one file that has boot_puts()
 * and boot_putu(), which write to its console. selftest.c, avr/selftest.c and blocks.c
 * include this.
 */
#ifndef UTF8VAL_POINTS_H
#define UTF8VAL_POINTS_H

#include "../tests/checks.h"

static uint8_t scratch[UTF8VAL_SCRATCH] __attribute__((aligned(16)));
static size_t points;
static size_t failed;

static void point(bool ok, const char *what, const char *directive)
{
	points++;
	failed += !ok;
	boot_puts(ok ? "ok " : "not ok ");
	boot_putu(points);
	boot_puts(" - ");
	boot_puts(what);
	boot_puts(directive);
	boot_puts("\n");
}

static inline void explain(const struct utf8val_failure *failure)
{
	boot_puts("# ");
	boot_puts(failure->what);
	boot_puts(", at ");
	boot_putu(failure->at);
	boot_puts(": want ");
	boot_putu(failure->want);
	boot_puts(", got ");
	boot_putu(failure->got);
	boot_puts("\n");
}

/*
 * Print the plan, with @more points of the program's own, and run all vectors and
 * checks. fetch() makes a vector readable, and returns false if there is not enough
 * memory.
 */
static inline void run_shared(size_t vectors, size_t more,
		       bool (*fetch)(struct utf8val_vector *to, size_t at))
{
	struct utf8val_failure failure = { "too long a vector", 0, 0, 0 };

	boot_puts("# vectors: ");
	boot_putu(vectors);
	boot_puts(", checks: ");
	boot_putu(utf8val_case_count);
	boot_puts("\n1..");
	boot_putu(vectors + utf8val_case_count + more);
	boot_puts("\n");
	for (size_t i = 0; i < vectors; i++) {
		struct utf8val_vector vector;
		bool ok = fetch(&vector, i) &&
			  utf8val_check_vector(&vector, scratch, &failure);

		point(ok, vector.name, "");
		if (!ok)
			explain(&failure);
	}
	for (size_t i = 0; i < utf8val_case_count; i++) {
		bool ok = utf8val_cases[i].run(scratch, &failure);

		point(ok, utf8val_cases[i].name, "");
		if (!ok)
			explain(&failure);
	}
}

#endif /* UTF8VAL_POINTS_H */
