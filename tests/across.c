// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * All 2^24 strings of three bytes across the border of two blocks of sixteen, after
 * ASCII and after a lead, against the oracle.
 */
#include "oracle.h"

#include <stdio.h>
#include <string.h>

#define BEFORE 13
#define AFTER 18

int main(void)
{
	static const uint8_t before[] = { 0x41, 0xF1 };
	uint8_t s[BEFORE + 4 + AFTER];
	unsigned long good = 0;

	memset(s, 0x41, sizeof(s));
	for (uint32_t i = 0; i < 2u << 24; i++) {
		struct utf8val_result want;
		size_t got = 0;

		s[BEFORE] = before[i >> 24];
		s[BEFORE + 1] = (uint8_t)(i >> 16);
		s[BEFORE + 2] = (uint8_t)(i >> 8);
		s[BEFORE + 3] = (uint8_t)i;
		/* The bytes around the five are ASCII. */
		want = oracle_check(s + BEFORE, 5);
		want.valid += want.reason ? BEFORE : BEFORE + AFTER - 1;
		good += !want.reason;
		got = utf8val_prefix(s, sizeof(s));
		if (got != want.valid) {
			printf("# %07lX: want %zu, got %zu\n", (unsigned long)i,
			       want.valid, got);
			return 1;
		}
	}
	/*
	 * The number of well-formed strings: of ASCII (a) and sequences of two
	 * and three bytes (b, c) there are aaa, ab, ba and c; and after a lead
	 * of four bytes, any three tails.
	 */
	return good != 128ul * 128 * 128 + 2 * 128 * 1920 + 61440 + 64 * 64 * 64;
}
