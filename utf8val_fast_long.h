/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fast engine on text: runs of one shape, and how they and the walks take
 * turns.
 */
#ifndef UTF8VAL_FAST_LONG_H
#define UTF8VAL_FAST_LONG_H

#include "utf8val_fast_short.h"

/* text that both walks take at once; else blocks that grow while no run does */
#define FAST_SHORT 512u
#define FAST_BLOCK_MIN 64u
#define FAST_BLOCK_MAX 4096u

/*
 * Runs of one shape. Each takes a boundary and returns the one up
 * to which it found the shape, in steps that suit it; the same one when there
 * is too little of it. What it passed is well-formed.
 */

/* U+0000..U+007F */
static FAST_NOINLINE size_t fast_run_1(const uint8_t *s, size_t at, size_t len)
{
	while (len - at >= 64u && fast_ascii_32(s + at) &&
	       fast_ascii_32(s + at + 32))
		at += 64;
	while (len - at >= 32u && fast_ascii_32(s + at))
		at += 32;
	return at;
}

/* The bytes that are leads, C0 and up, in their highest bits. */
static inline FAST_INLINE uint64_t fast_leads(uint64_t word)
{
	return word & word << 1;
}

/* Is this no text of one and two bytes a character? In the highest bits. */
static inline FAST_INLINE uint64_t fast_not_2(uint64_t before, uint64_t word)
{
	uint64_t lead = fast_leads(word);
	uint64_t after_lead = lead << 8 | fast_leads(before) >> 56;
	/* C2..DF: 22..3E here; C0, C1: 20, 21; E0 and up: less than 20 */
	uint64_t lead_bits = (word ^ FAST_EACH(0x20u)) & FAST_EACH(0x3Eu);

	/* tails, high but no leads, stand after leads and only there */
	return (word ^ lead ^ after_lead) |
	       (lead & (FAST_EACH(0xA1u) - lead_bits));
}

/* U+0000..U+07FF */
static FAST_NOINLINE size_t fast_run_2(const uint8_t *s, size_t at, size_t len)
{
	uint64_t before = 0;

	while (len - at >= 32u) {
		uint64_t w0 = fast_load8(s + at);
		uint64_t w1 = fast_load8(s + at + 8);
		uint64_t w2 = fast_load8(s + at + 16);
		uint64_t w3 = fast_load8(s + at + 24);

		/* nothing but ASCII, and no lead before it that wants a tail */
		if (!((w0 | w1 | w2 | w3 | fast_leads(before) >> 56) &
		      FAST_HIGH)) {
			at = fast_run_1(s, at + 32, len);
			before = 0;
			continue;
		}
		if ((fast_not_2(before, w0) | fast_not_2(w0, w1) |
		     fast_not_2(w1, w2) | fast_not_2(w2, w3)) & FAST_HIGH)
			break;
		before = w3;
		at += 32;
	}
	/* a lead at the end belongs to what comes */
	return at - (size_t)(fast_leads(before) >> 63);
}

/*
 * U+0800..U+FFFF, eight characters a step. Their leads stand at eight different
 * places of a word, so all of them fit into one, and so do the second bytes,
 * one place higher.
 */
static FAST_NOINLINE size_t fast_run_3(const uint8_t *s, size_t at, size_t len)
{
	while (len - at >= 24u) {
		/* bits unlike 1110xxxx 10xxxxxx 10xxxxxx: the x if well */
		uint64_t w0 = fast_load8(s + at) ^ UTF8VAL_FAST_3_FORM_0;
		uint64_t w1 = fast_load8(s + at + 8) ^ UTF8VAL_FAST_3_FORM_1;
		uint64_t w2 = fast_load8(s + at + 16) ^ UTF8VAL_FAST_3_FORM_2;
		uint64_t bad = (w0 & UTF8VAL_FAST_3_MASK_0) |
			       (w1 & UTF8VAL_FAST_3_MASK_1) |
			       (w2 & UTF8VAL_FAST_3_MASK_2);
		/* the leads' low four bits; A0..BF, not 80..9F: 80 below */
		uint64_t lead = (w0 & UTF8VAL_FAST_3_LEAD_0) |
				(w1 & UTF8VAL_FAST_3_LEAD_1) |
				(w2 & UTF8VAL_FAST_3_LEAD_2);
		uint64_t second = (w0 & UTF8VAL_FAST_3_SECOND_0) |
				  (w1 & UTF8VAL_FAST_3_SECOND_1) |
				  (w2 & UTF8VAL_FAST_3_SECOND_2);
		/* in the highest bits: neither E0 nor ED */
		uint64_t not_e0 = lead + FAST_EACH(0x7Fu);
		uint64_t not_ed = (lead ^ FAST_EACH(0x0Du)) + FAST_EACH(0x7Fu);
		uint64_t high = (second >> 8 | second << 56) << 2;

		/* below A0 E0 may not stand before, from A0 on ED */
		bad |= ~(not_e0 ^ ((not_e0 ^ not_ed) & high)) & FAST_HIGH;
		if (bad)
			break;
		at += 24;
	}
	return at;
}

/* Are these no two characters of four bytes? Not 0 then. */
static inline FAST_INLINE uint64_t fast_not_4(uint64_t word)
{
	/* 11110xxx 10xxxxxx 10xxxxxx 10xxxxxx */
	uint64_t bad = (word & UTF8VAL_FAST_4_MASK) ^ UTF8VAL_FAST_4_FORM;
	/*
	 * The code point's upper five bits, from bit 12 on: 1..16, which is
	 * U+10000..U+10FFFF. One less has no bit from 16 on; 0 borrows there.
	 */
	uint64_t plane = (word & UTF8VAL_FAST_4_LEAD) << 14 |
			 (word & UTF8VAL_FAST_4_SECOND);

	return bad | ((plane - 0x0000100000001000u) & 0xFFFF0000FFFF0000u);
}

/* U+10000..U+10FFFF */
static FAST_NOINLINE size_t fast_run_4(const uint8_t *s, size_t at, size_t len)
{
	while (len - at >= 32u &&
	       !(fast_not_4(fast_load8(s + at)) |
		 fast_not_4(fast_load8(s + at + 8)) |
		 fast_not_4(fast_load8(s + at + 16)) |
		 fast_not_4(fast_load8(s + at + 24))))
		at += 32;
	return at;
}

/* The run that the character at a boundary, 32 bytes before len, begins. */
static inline FAST_INLINE size_t fast_run(const uint8_t *s, size_t at,
					  size_t len)
{
	if (s[at] < 0xE0u)
		return fast_run_2(s, at, len);
	if (s[at] < 0xF0u)
		return fast_run_3(s, at, len);
	return fast_run_4(s, at, len);
}

/*
 * At or up to three bytes before at: no tail. A tail after all if there are
 * four in a row, which is ill-formed. From at == 3.
 */
static inline FAST_INLINE size_t fast_cut(const uint8_t *s, size_t at)
{
	size_t i;

	for (i = 0; i < 3 && (s[at] & 0xC0u) == 0x80u; i++)
		at--;
	return at;
}

/*
 * The end of an input of 32 bytes and more: from at, a boundary up to which all
 * is well-formed.
 */
static inline FAST_INLINE size_t fast_prefix_rest(const uint8_t *s, size_t at,
						  size_t len)
{
	if (len - at < 32u && fast_ascii_32(s + len - 32))
		return len;
	/* both walks take 16 bytes; what they need of those before is well */
	if (len - at < 16u)
		at = fast_cut(s, len - 16);
	return at + fast_where_16(s + at, len - at);
}

/* 49 to 512 bytes */
static FAST_NOINLINE size_t fast_prefix_512(const uint8_t *s, size_t len)
{
	size_t at = 0;

	while (len - at >= 32u && fast_ascii_32(s + at))
		at += 32;
	return fast_prefix_rest(s, at, len);
}

/* from 513 bytes */
static FAST_NOINLINE size_t fast_prefix_long(const uint8_t *s, size_t len)
{
	size_t block = FAST_BLOCK_MIN;
	size_t at = fast_run_1(s, 0, len);

	while (len - at >= 32u) {
		size_t begin = at;
		size_t end;

		at = fast_run(s, at, len);
		if (at - begin >= FAST_BLOCK_MIN) {
			block = FAST_BLOCK_MIN;
		} else {
			if (len - at < block + 32u)
				break;
			end = fast_cut(s, at + block);
			at += fast_where_16(s + at, end - at);
			/* a blind cut: the character goes on behind perhaps */
			if (end - at > 3u)
				return at;
			if (block < FAST_BLOCK_MAX)
				block *= 2;
		}
		at = fast_run_1(s, at, len);
	}
	return fast_prefix_rest(s, at, len);
}

static inline FAST_INLINE size_t fast_prefix_49(const uint8_t *s, size_t len)
{
	return len > FAST_SHORT ? fast_prefix_long(s, len) :
				  fast_prefix_512(s, len);
}

#endif /* UTF8VAL_FAST_LONG_H */
