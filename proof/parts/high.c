/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What by_cbmc.py asks of the fast engine's counts of bytes that are not ASCII. The
 * contract of fast_add_high(), which they call, has x86-64's order of bytes; the sum
 * of its bytes, which is all that they use, must not depend on it.
 */
#define UTF8VAL_ENGINE_FAST 1
#include "utf8val.c"

static size_t high(const uint8_t *s, size_t len)
{
	size_t count = 0;
	size_t i;

	for (i = 0; i < len; i++)
		count += s[i] >= 0x80u;
	return count;
}

static size_t sum_of(uint64_t word)
{
	size_t sum = 0;
	size_t i;

	for (i = 0; i < 8; i++)
		sum += word >> 8 * i & 0xFFu;
	return sum;
}

void prove_fast_high8(void)
{
	uint64_t before;
	uint8_t s[8];

	/* as many as a sum of eight words lets a byte have before the last */
	__CPROVER_assume((before & 0xF8F8F8F8F8F8F8F8u) == 0);
	__CPROVER_assert(sum_of(fast_add_high(before, s)) ==
			 sum_of(before) + high(s, 8), "as many more as there are");
	__CPROVER_assert(fast_high8(s) == high(s, 8), "as many as there are");
	__CPROVER_assert(0, REACHED);
}
