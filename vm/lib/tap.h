/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* TAP from a program in the virtual machine. Every test in vm/tests uses this. */
#ifndef UTF8VAL_VM_TAP_H
#define UTF8VAL_VM_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "deviations.h"

static unsigned int tap_points, tap_failures;

/*
 * Print a point: is @got equal to @want, or to what the point's deviation has
 * instead? @number: print both if not.
 */
static inline bool tap_compare(long got, long want, bool number,
			       const char *format, va_list list)
{
	const struct deviation *deviation;
	char name[512];
	bool passed;

	vsnprintf(name, sizeof(name), format, list);
	deviation = deviation_of(name);
	if (deviation)
		want = deviation->instead;
	passed = got == want;
	tap_failures += !passed;
	printf("%s %u - %s%s%s%s\n", passed ? "ok" : "not ok", ++tap_points,
	       name, deviation ? " (the guard deviates: " : "",
	       deviation ? deviation->why : "", deviation ? ")" : "");
	if (!passed && (number || deviation))
		printf("# got %ld, want %ld\n", got, want);
	return passed;
}

/* Print a test point; its name is a format that begins with a rule's number. */
__attribute__((format(printf, 2, 3)))
static inline bool tap(bool passed, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	passed = tap_compare(passed, true, false, format, list);
	va_end(list);
	return passed;
}

/* Print a test point that passes if @got is @want. */
__attribute__((format(printf, 3, 4)))
static inline bool tap_is(long got, long want, const char *format, ...)
{
	va_list list;
	bool passed;

	va_start(list, format);
	passed = tap_compare(got, want, true, format, list);
	va_end(list);
	return passed;
}

/* Print a point that cannot be tested here, and why. */
#define tap_skip(why, ...) do {						\
	printf("ok %u - ", ++tap_points);				\
	printf(__VA_ARGS__);						\
	printf(" # SKIP %s\n", why);					\
} while (0)

/* Print the plan. Returns: the program's exit status. */
static inline int tap_end(void)
{
	printf("1..%u\n", tap_points);
	return tap_failures || !tap_points;
}

#endif /* UTF8VAL_VM_TAP_H */
