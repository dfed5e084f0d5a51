/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What prove.py must not prove, in each run: statements that are false, above all those
 * that Frama-C 25 takes for true by itself (tools/shifts.ml puts that right). And true
 * ones of the same form, which it must.
 */
#include <stddef.h>
#include <stdint.h>

/*@ assigns \nothing; ensures \result == 1; */
static int false_constant(void) { return 0; }

/*@ assigns \nothing; ensures \false; */
static int false_always(int x) { return x; }

/*@ assigns \nothing; ensures x > 0 ==> x >> 4 > 0; */
static int false_above(unsigned int x) { return 0; }

/*@ assigns \nothing; ensures x > 0 ==> \result >= 1; */
static size_t false_from_1(size_t x) { return x >> 11; }

/*@ assigns \nothing; ensures x >> 3 <= 0 ==> x == 0; */
static int false_up_to_0(uint8_t x) { return 0; }

/*@ assigns \nothing; ensures \result == s + len; */
static const uint8_t *false_end(const uint8_t *s, size_t len)
{
	return len >> 11 > 0 ? s + len : s;
}

/*@ assigns \nothing; ensures \result == s + len; */
static const uint8_t *false_pages(const uint8_t *s, size_t len)
{
	size_t pages = len >> 12;

	if (pages < 1)
		return s;
	return s + len;
}

/*@ assigns \nothing; ensures y <= (x >> 1) <==> y <= x / 2; */
static int false_below_0(int x, int y) { return 0; }

/*@ assigns \nothing; ensures (x << 1) != (x << 2); */
static int false_left(unsigned int x) { return 0; }

/*@ assigns \nothing; ensures (x << 2) <= (x << 1) ==> \false; */
static int false_left_up_to(unsigned int x) { return 0; }

/*@ assigns \nothing; ensures x >> 11 > 0 <==> x >= 2048; */
static int true_above(unsigned int x) { return 0; }

/*@ assigns \nothing; ensures y <= (x >> 4) <==> 16 * y <= x; */
static int true_up_to(int x, int y) { return 0; }
