// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* encode, of each four bytes as a number; next and prev bring it back. */
#include "fuzz.h"

static void one(uint32_t cp)
{
	uint8_t want[4] = { 0xAA, 0xAA, 0xAA, 0xAA };
	uint8_t got[4] = { 0xAA, 0xAA, 0xAA, 0xAA };
	int32_t there, back;
	size_t size = utf8val_encode(cp, got);

	REQUIRE(size == oracle_encode(cp, want));
	/* Nothing may be written beyond the bytes whose number is returned. */
	REQUIRE(!memcmp(got, want, sizeof(got)));
	if (!size)
		return;
	REQUIRE(utf8val_next(got, got + size, &there) == got + size);
	REQUIRE(there == (int32_t)cp);
	REQUIRE(utf8val_prev(got + size, got, &back) == got);
	REQUIRE(back == (int32_t)cp);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	while (size)
		one(take_number(data, &size, 4));
	return 0;
}
