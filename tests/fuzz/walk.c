// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* next, prev, count, floor and trim: the oracle's sequences, in both directions. */
#include "fuzz.h"

static size_t forwards(const uint8_t *s, size_t size)
{
	const uint8_t *pos = s;
	size_t units = 0;
	size_t at = 0;
	int32_t got;

	while (at < size) {
		int32_t cp;
		size_t unit = oracle_unit(s + at, size - at, &cp);

		pos = utf8val_next(pos, s + size, &got);
		REQUIRE(got == cp);
		REQUIRE(pos == s + at + unit);
		for (size_t inside = at; inside < at + unit; inside++)
			REQUIRE(utf8val_floor(s, size, inside) == at);
		at += unit;
		units++;
	}
	REQUIRE(utf8val_next(pos, s + size, &got) == s + size);
	REQUIRE(got == UTF8VAL_END);
	return units;
}

/* starts[i] is where sequence i begins, starts[units] the end. */
static void backwards(const uint8_t *s, const size_t *starts, size_t units)
{
	const uint8_t *pos = s + starts[units];
	int32_t cp, got;

	for (; units; units--) {
		size_t start = starts[units - 1];

		/*
		 * utf8val_prev() does not see the byte that breaks a sequence
		 * off, so the oracle does not get it, either.
		 */
		oracle_unit(s + start, starts[units] - start, &cp);
		REQUIRE(utf8val_trim(s, starts[units]) ==
			(cp == -UTF8VAL_TRUNCATED ? start : starts[units]));
		pos = utf8val_prev(pos, s, &got);
		REQUIRE(got == cp);
		REQUIRE(pos == s + start);
	}
	REQUIRE(utf8val_prev(pos, s, &got) == s);
	REQUIRE(got == UTF8VAL_END);
}

/*
 * Go backwards from an end inside the input: nothing after that end may be
 * looked at.
 */
static void backwards_of_copy(const uint8_t *s, const size_t *starts,
			      size_t units)
{
	uint8_t *part = exact_copy(s, starts[units]);

	backwards(part, starts, units);
	free(part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *s = exact_copy(data, size);
	size_t *starts = malloc((size + 1) * sizeof(*starts));
	size_t units = 0;
	int32_t cp;

	REQUIRE(starts);
	starts[0] = 0;
	while (starts[units] < size) {
		size_t at = starts[units++];

		starts[units] = at + oracle_unit(s + at, size - at, &cp);
	}
	REQUIRE(forwards(s, size) == units);
	REQUIRE(utf8val_count(s, size) == units);
	REQUIRE(utf8val_floor(s, size, size) == size);
	REQUIRE(utf8val_floor(s, size, SIZE_MAX) == size);
	backwards(s, starts, units);
	backwards_of_copy(s, starts, units / 2);
	free(starts);
	free(s);
	return 0;
}
