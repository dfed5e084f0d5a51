/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fast engine on text: runs of characters of one shape, and how such runs
 * and the two walks take turns. fast.h includes this file and calls it for all
 * but short input.
 */
#ifndef UTF8VAL_FAST_TEXT_H
#define UTF8VAL_FAST_TEXT_H

#include "fast_name.h"

/*
 * Both walks take a line at once. They take text in blocks of these sizes,
 * which double while no run is found.
 */
#define FAST_BLOCK_MIN 64u
#define FAST_BLOCK_MAX 4096u
/* bytes that stay in the nearest cache from one pass to the next */
#define FAST_PART 4096u

/*
 * Runs of one shape. Each function takes a boundary and returns the boundary up
 * to which it found that shape, in steps that suit the shape. If there is less
 * than a step of the shape, it returns the boundary that it was given. All that
 * it passed is well-formed.
 */

/* A run of U+0000..U+007F. */
static FAST_NOINLINE FAST_ALIGNED size_t fast_run_ascii(const uint8_t *s,
							size_t at, size_t len)
{
	while (len - at >= 64u && fast_ascii32(s + at) &&
	       fast_ascii32(s + at + 32))
	UTF8VAL_LOOP(run_same)
		at += 64;
	while (len - at >= 32u && fast_ascii32(s + at))
	UTF8VAL_LOOP(run_same)
		at += 32;
	return at;
}

/* The bytes from C0 on, which are leads, as their highest bits. */
static inline FAST_INLINE uint64_t fast_leads(uint64_t word)
{
	return word & word << 1;
}

/*
 * Which bytes of a word may not stand after the bytes one place before them, in
 * text whose characters have one or two bytes? The answer is in the highest
 * bits.
 */
static inline FAST_INLINE uint64_t fast_not_twos(uint64_t before, uint64_t word)
{
	uint64_t lead = fast_leads(word);
	/* C2..DF become 0..1C; C0 and C1 become 1E; from E0 on, 20 and more */
	uint64_t lead_bits = (word ^ FAST_EACH(0x1Eu)) & FAST_EACH(0x3Eu);

	/*
	 * A tail is a high byte that is no lead; it stands after a lead, and
	 * only there. A lead that became 1E or more is bad, and adding 62 sets
	 * its highest bit: 1E + 62 = 80.
	 */
	return (word ^ lead ^ fast_leads(before)) |
	       (lead & (lead_bits + FAST_EACH(0x62u)));
}

/* Of 33 bytes: are those from the second on such text? */
static inline FAST_INLINE bool fast_are_twos(const uint8_t *s)
{
	return !((fast_not_twos(fast_load8_any(s), fast_load8_any(s + 1)) |
		  fast_not_twos(fast_load8_any(s + 8), fast_load8_any(s + 9)) |
		  fast_not_twos(fast_load8_any(s + 16), fast_load8_any(s + 17)) |
		  fast_not_twos(fast_load8_any(s + 24), fast_load8_any(s + 25))) &
		 FAST_HIGH);
}

/* A run of U+0000..U+07FF. The first byte is below E0. */
static FAST_NOINLINE size_t fast_run_twos(const uint8_t *s, size_t at,
					  size_t len)
{
	if (s[at] >= 0x80u && s[at] < 0xC2u)
		return at;
	at++;
	while (len - at >= 32u && fast_are_twos(s + (at - 1u)))
	UTF8VAL_LOOP(run_twos) {
		at += 32;
		UTF8VAL_FUNCTION(run_twos)
		/*
		 * a block that ends in ASCII may be followed by a run of ASCII
		 */
		if (fast_ascii8(s + (at - 8u)))
			at = fast_run_ascii(s, at, len);
	}
	UTF8VAL_FUNCTION(run_twos)
	/*
	 * a lead at the run's end belongs to a character that was not seen
	 * whole
	 */
	if (s[at - 1u] >= 0xC0u)
		at--;
	return at;
}

/*
 * Are these 24 bytes eight characters of U+0800..U+FFFF? In the three words the
 * leads stand at eight different places. One word can therefore hold all leads,
 * and another all second bytes, each one place higher than its lead.
 */
static inline FAST_INLINE bool fast_are_threes(const uint8_t *s)
{
	/*
	 * bits that differ from 1110xxxx 10xxxxxx 10xxxxxx; the x, if all fits
	 */
	uint64_t w0 = fast_load8(s) ^ UTF8VAL_FAST_3_FORM_0;
	uint64_t w1 = fast_load8(s + 8) ^ UTF8VAL_FAST_3_FORM_1;
	uint64_t w2 = fast_load8(s + 16) ^ UTF8VAL_FAST_3_FORM_2;
	uint64_t bad = (w0 & UTF8VAL_FAST_3_MASK_0) |
		       (w1 & UTF8VAL_FAST_3_MASK_1) |
		       (w2 & UTF8VAL_FAST_3_MASK_2);
	/*
	 * the low four bits of the leads; A0..BF, not 80..9F, shows as 80 in
	 * high
	 */
	uint64_t lead = (w0 & UTF8VAL_FAST_3_LEAD_0) |
			(w1 & UTF8VAL_FAST_3_LEAD_1) |
			(w2 & UTF8VAL_FAST_3_LEAD_2);
	uint64_t second = (w0 & UTF8VAL_FAST_3_SECOND_0) |
			  (w1 & UTF8VAL_FAST_3_SECOND_1) |
			  (w2 & UTF8VAL_FAST_3_SECOND_2);
	/* in the highest bits: is the lead not E0, and is it not ED? */
	uint64_t not_e0 = lead + FAST_EACH(0x7Fu);
	uint64_t not_ed = (lead ^ FAST_EACH(0x0Du)) + FAST_EACH(0x7Fu);
	uint64_t high = (second >> 8 | second << 56) << 2;

	/* E0 may not stand before 80..9F, and ED not before A0..BF */
	bad |= ~(not_e0 ^ ((not_e0 ^ not_ed) & high)) & FAST_HIGH;
	return !bad;
}

static FAST_NOINLINE size_t fast_run_threes(const uint8_t *s, size_t at,
					    size_t len)
{
	while (len - at >= 24u && fast_are_threes(s + at))
	UTF8VAL_LOOP(run_same)
		at += 24;
	return at;
}

/*
 * The upper five bits of the code points of two four-byte characters, moved to
 * bit 12 and up. They are 1..16, which is U+10000..U+10FFFF: one less has no
 * bit from bit 16 on, while 0 less 1 borrows there.
 */
static inline FAST_INLINE uint64_t fast_planes(uint64_t word)
{
	uint64_t plane = (word & UTF8VAL_FAST_4_LEAD) << 14 |
			 (word & UTF8VAL_FAST_4_SECOND);

	return plane - 0x0000100000001000u;
}

/* Are these 32 bytes eight characters of U+10000..U+10FFFF? */
static inline FAST_INLINE bool fast_are_fours(const uint8_t *s)
{
	/* bits that differ from 11110xxx 10xxxxxx 10xxxxxx 10xxxxxx */
	uint64_t w0 = fast_load8(s) ^ UTF8VAL_FAST_4_FORM;
	uint64_t w1 = fast_load8(s + 8) ^ UTF8VAL_FAST_4_FORM;
	uint64_t w2 = fast_load8(s + 16) ^ UTF8VAL_FAST_4_FORM;
	uint64_t w3 = fast_load8(s + 24) ^ UTF8VAL_FAST_4_FORM;
	uint64_t plane = fast_planes(w0) | fast_planes(w1) |
			 fast_planes(w2) | fast_planes(w3);

	return !(((w0 | w1 | w2 | w3) & UTF8VAL_FAST_4_MASK) |
		 (plane & 0xFFFF0000FFFF0000u));
}

static FAST_NOINLINE size_t fast_run_fours(const uint8_t *s, size_t at,
					   size_t len)
{
	while (len - at >= 32u && fast_are_fours(s + at))
	UTF8VAL_LOOP(run_same)
		at += 32;
	return at;
}

/*
 * Pass the run that begins with the character at @at, a boundary with at least
 * 32 bytes after it. If @tails is given, adds the run's tails there.
 */
static inline FAST_INLINE size_t fast_run(const uint8_t *s, size_t at,
					  size_t len, size_t *tails)
{
	size_t end;

	if (s[at] < 0xE0u) {
		/*
		 * half of the high bytes are tails; they are counted while
		 * still cached
		 */
		if (tails)
			len = at + fast_min(len - at, FAST_PART);
		end = fast_run_twos(s, at, len);
		if (tails)
			*tails += fast_count_high(s + at, end - at) / 2u;
		return end;
	}
	if (s[at] < 0xF0u) {
		end = fast_run_threes(s, at, len);
		if (tails)
			*tails += (end - at) / 3u * 2u;
	} else {
		end = fast_run_fours(s, at, len);
		if (tails)
			*tails += (end - at) / 4u * 3u;
	}
	return end;
}

/*
 * The last byte that is no tail, at @at or up to three bytes before. If all
 * four are tails, which is ill-formed, it is the first of them. @at is at least
 * 3.
 */
static inline FAST_INLINE size_t fast_cut(const uint8_t *s, size_t at)
{
	size_t i;

	for (i = 0; i < 3 && fast_is_tail(s[at]); i++)
		at--;
	return at;
}

/*
 * The last boundary before the byte that is rejected, which is one of the eight
 * bytes after the first @passed. The input has at least 8 bytes.
 */
static inline FAST_INLINE size_t fast_before_rejected(const uint8_t *s,
						      size_t passed)
{
	uint32_t state = fast_state(s, passed);
	size_t more;

	more = fast_passed_word(state, fast_load8(s + passed));
	return fast_boundary(s, passed + more);
}

/*
 * How many bytes each of both walks takes of @len, which is at least 16. The
 * result is a multiple of 8, with 2 * walk >= len + 4 and walk <= len.
 */
static inline FAST_INLINE size_t fast_half(size_t len)
{
	return (len + 19u) / 16u * 8u;
}

/* The longest well-formed prefix by both walks, of 16 bytes or more. */
static FAST_NOINLINE size_t fast_walk_both(const uint8_t *s, size_t len)
{
	size_t walk = fast_half(len);
	const uint8_t *q = s + (len - walk);
	uint64_t first = fast_blank_tails(fast_load8(q));
	uint32_t front = fast_walk(FAST_ACCEPT, s);
	uint32_t back = fast_walk_word(FAST_ACCEPT, first);
	size_t at, passed;

	for (at = 8; at < walk; at += 8)
	UTF8VAL_LOOP(both) {
		if (!fast_alive(front) || !fast_alive(back))
			break;
		front = fast_walk(front, s + at);
		back = fast_walk(back, q + at);
	}
	if (fast_alive(front) && fast_accepted(back))
		return len;
	if (fast_alive(front) && fast_alive(back))
		return fast_boundary(s, len);
	/*
	 * The back walk's result counts once the front walk has got to where
	 * the back walk began.
	 */
	passed = len - walk + at - 8u;
	for (; fast_alive(front) && at < walk; at += 8)
	UTF8VAL_LOOP(front)
		front = fast_walk(front, s + at);
	if (!fast_alive(front))
		passed = at - 8u;
	return fast_before_rejected(s, passed);
}

/*
 * The longest well-formed prefix of an input of 32 bytes or more. @at is a
 * boundary up to which the input is well-formed.
 */
static inline FAST_INLINE size_t fast_prefix_rest(const uint8_t *s, size_t at,
						  size_t len)
{
	if (len - at < 32u && fast_ascii32(s + len - 32))
		return len;
	/*
	 * both walks need 16 bytes, so they begin earlier, in well-formed bytes
	 */
	if (len - at < 16u)
		at = fast_cut(s, len - 16);
	return at + fast_walk_both(s + at, len - at);
}

/*
 * The longest well-formed prefix of a line. To look for the end of leading
 * ASCII costs a mispredicted branch, so that is done only where it may save
 * half of the walk.
 */
static FAST_NOINLINE size_t fast_prefix_line(const uint8_t *s, size_t len)
{
	size_t at = 0;

	if (len <= 2u * FAST_NAME_MAX) {
		if (fast_ascii_name(s, FAST_NAME_MAX) &&
		    fast_ascii_name(s + (len - FAST_NAME_MAX), FAST_NAME_MAX))
			return len;
		return fast_walk_both(s, len);
	}
	while (len - at >= 32u && fast_ascii32(s + at))
	UTF8VAL_LOOP(run_same)
		at += 32;
	return fast_prefix_rest(s, at, len);
}

/*
 * The longest well-formed prefix of a text. If @tails is given, adds the tails
 * of that prefix there.
 */
static FAST_NOINLINE size_t fast_prefix_text(const uint8_t *s, size_t len,
					     size_t *tails)
{
	size_t block = FAST_BLOCK_MIN;
	size_t at = fast_run_ascii(s, 0, len);
	size_t begin;

	while (len - at >= 32u)
	UTF8VAL_LOOP(text) {
		begin = at;
		at = fast_run(s, at, len, tails);
		if (at - begin >= FAST_BLOCK_MIN) {
			block = FAST_BLOCK_MIN;
		} else {
			size_t end;

			if (len - at < block + 32u)
				break;
			begin = at;
			end = fast_cut(s, at + block);
			at += fast_walk_both(s + at, end - at);
			if (tails)
				*tails += fast_count_tails(s + begin, at - begin);
			/*
			 * up to 3 bytes may be a character that goes on after
			 * the block
			 */
			if (end - at > 3u)
				return at;
			if (block < FAST_BLOCK_MAX)
				block *= 2;
		}
		at = fast_run_ascii(s, at, len);
	}
	begin = at;
	at = fast_prefix_rest(s, at, len);
	if (tails)
		*tails += fast_count_tails(s + begin, at - begin);
	return at;
}

static FAST_NOINLINE size_t fast_where_long(const uint8_t *s, size_t len)
{
	return len > FAST_LINE_MAX ? fast_prefix_text(s, len, NULL) :
				  fast_prefix_line(s, len);
}

/* Out of line, so that names need no stack frame. */
static FAST_NOINLINE bool fast_valid_long(const uint8_t *s, size_t len)
{
	return fast_where_long(s, len) == len;
}

#endif /* UTF8VAL_FAST_TEXT_H */
