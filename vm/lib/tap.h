/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* TAP from a program in the virtual machine. */
#ifndef UTF8VAL_VM_TAP_H
#define UTF8VAL_VM_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static unsigned int tap_points, tap_failures;

/* One test point; the name is a format and names the rule it is for. */
__attribute__((format(printf, 2, 3)))
static inline bool tap(bool passed, const char *format, ...)
{
	va_list list;

	tap_failures += !passed;
	printf("%s %u - ", passed ? "ok" : "not ok", ++tap_points);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf("\n");
	return passed;
}

/* The same for a number that must have one value. */
#define tap_is(got, want, ...) do {					\
	long tap_got = (got), tap_want = (want);			\
									\
	if (!tap(tap_got == tap_want, __VA_ARGS__))			\
		printf("# got %ld, want %ld\n", tap_got, tap_want);	\
} while (0)

/* A point that cannot be tested here, and why. */
#define tap_skip(why, ...) do {						\
	printf("ok %u - ", ++tap_points);				\
	printf(__VA_ARGS__);						\
	printf(" # SKIP %s\n", why);					\
} while (0)

/* The plan, and the program's exit status. */
static inline int tap_end(void)
{
	printf("1..%u\n", tap_points);
	return tap_failures || !tap_points;
}

#endif /* UTF8VAL_VM_TAP_H */
