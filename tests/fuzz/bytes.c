// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Every function of the core on the input, and on a part of it, after which there is
 * nothing to read. Parameters: two bytes, the part's size, and the room for the repaired
 * form; four bytes, a value for reason_name and encode, which take any. run.sh builds
 * and runs it.
 */
#include "../checks.h"
#include "fuzz.h"

static void check(const uint8_t *data, size_t size, size_t less)
{
	uint8_t *s = exact_copy(data, size);
	uint8_t *room = exactly(6 * size + 8);
	struct utf8val_failure failure;

	if (!utf8val_check_whole(s, size, oracle_check(s, size), &failure) ||
	    !utf8val_check_units(s, size, &failure) ||
	    !utf8val_check_repair(s, size, less, room, &failure)) {
		fprintf(stderr, "not true: %s at %zu: want %lx, got %lx\n", failure.what,
			failure.at, failure.want, failure.got);
		abort();
	}
	free(room);
	free(s);
}

/* Nothing may be written beyond the room, nor beyond the bytes that are returned. */
static void repair(const uint8_t *s, size_t size, size_t cap)
{
	uint8_t *room = exactly(cap);

	REQUIRE(utf8val_replace(room, cap, s, size).written <= cap);
	free(room);
}

static void value_of_any_size(uint32_t value)
{
	const char *name = utf8val_reason_name(value);
	uint8_t want[4] = { 0xAA, 0xAA, 0xAA, 0xAA };
	uint8_t got[4] = { 0xAA, 0xAA, 0xAA, 0xAA };
	size_t size = utf8val_encode(value, got);

	REQUIRE(name && *name);
	REQUIRE(!strcmp(name, "unknown") == (value >= UTF8VAL_REASONS));
	REQUIRE(size == oracle_encode(value, want));
	REQUIRE(!memcmp(got, want, sizeof(got)));
	check(got, size, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t part = take_number(data, &size, 2);
	uint32_t value = take_number(data, &size, 4);

	value_of_any_size(value);
	check(data, size, part);
	check(data, part % (size + 1), 0);
	repair(data, size, part % (3 * size + 1));
	return 0;
}
