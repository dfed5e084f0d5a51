// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* replace and replaced_size. Parameter: two bytes, the room, taken modulo what is needed + 2. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t cap = take_number(data, &size, 2);
	uint8_t *s = exact_copy(data, size);
	uint8_t *want = exactly(3 * size + 4);
	struct utf8val_replaced done;
	size_t need = 0;
	size_t fits = 0;
	size_t at;
	uint8_t *got;

	/*
	 * Go one character at a time: fits is the last end of a character that
	 * lies within the room.
	 */
	for (at = 0; at < size;) {
		int32_t cp;

		at += oracle_unit(s + at, size - at, &cp);
		need += oracle_encode(cp < 0 ? 0xFFFD : (uint32_t)cp,
				      want + need);
	}
	cap %= need + 2;
	for (at = 0; at < need && at <= cap;) {
		int32_t cp;

		fits = at;
		at += oracle_unit(want + at, need - at, &cp);
	}
	if (at <= cap)
		fits = at;
	got = exactly(cap);
	if (cap)
		memset(got, 0xAA, cap);
	done = utf8val_replace(got, cap, s, size);
	REQUIRE(done.written == fits);
	REQUIRE((done.read == size) == (fits == need));
	REQUIRE(utf8val_replaced_size(s, size) == need);
	REQUIRE(utf8val_replaced_size(s + done.read, size - done.read) ==
		need - fits);
	REQUIRE(!fits || !memcmp(got, want, fits));
	for (at = fits; at < cap; at++)
		REQUIRE(got[at] == 0xAA);
	done = utf8val_replace(NULL, 0, s, size);
	REQUIRE(done.read == 0 && done.written == 0);
	free(got);
	free(want);
	free(s);
	return 0;
}
