/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fast engine: for kernels and hosts, on integer registers alone.
 *
 * It walks RFC 3629's automaton as a shift DFA. A state is a bit offset; a
 * byte's row in utf8val_fast_rows[] is a word with the next state standing at
 * every state's offset. A step is one load and one shift without a branch,
 *
 *	state = row[byte] >> state
 *
 * and only the shift waits for the step before. A single walk is bound by that
 * wait, so two run side by side:
 *
 *	|<------------ front ------------>|
 *	                     |<------------- back ------------>|
 *	0                    offset       walk                 len
 *
 * The back walk starts inside a character perhaps, so up to three tail bytes
 * that it would start with are blanked out; let z be the byte after them. The
 * walks overlap by four bytes, so the front walk reads z. The input is
 * well-formed exactly when the front walk is not rejected and the back walk is
 * accepted:
 *
 * - In well-formed input at most three tails follow each other, so z starts a
 *   character and the back walk is right from there on.
 * - Conversely, if z is a tail, the back walk is rejected. If it is none, then
 *   the front walk, not rejected on reading it, stood at a boundary before it:
 *   [0, z) is well-formed. The back walk says the same of [z, len).
 *
 * A name is short, and a mispredicted branch costs as much as walking twenty
 * bytes, so there are few size classes:
 *
 *	0 to 7		one word, put together from overlapping loads
 *	8 to 15		one walk over sixteen bytes, blank ones in front
 *	16 to 48	both walks
 *	49 to 512	both walks behind the leading words of ASCII
 *	from 513	runs of one shape as words, both walks between them
 *
 * From 8 to 48 bytes six loads tell first whether all is ASCII. No load reaches
 * outside the input, and none needs alignment. A select that must not become a
 * branch is written as arithmetic.
 */
#ifndef UTF8VAL_FAST_H
#define UTF8VAL_FAST_H

#include "utf8val.h"
#include "utf8val_fast_tables.h"

#define FAST_INLINE __attribute__((__always_inline__))
#define FAST_NOINLINE __attribute__((__noinline__))

/* text that both walks take at once; else blocks that grow while no run does */
#define FAST_SHORT 512u
#define FAST_BLOCK_MIN 64u
#define FAST_BLOCK_MAX 4096u

#define FAST_ACCEPT UTF8VAL_FAST_ACCEPT
/* the highest bit of every byte: what ASCII has not */
#define FAST_HIGH 0x8080808080808080u
/* every byte of a word */
#define FAST_EACH(byte) (0x0101010101010101u * (byte))

/* Loads of any alignment; the byte at the lowest address in the lowest bits. */

struct fast_u16 {
	uint16_t v;
} __attribute__((__packed__, __may_alias__));

struct fast_u64 {
	uint64_t v;
} __attribute__((__packed__, __may_alias__));

static inline FAST_INLINE uint64_t fast_load2(const uint8_t *s)
{
	uint32_t v = ((const struct fast_u16 *)s)->v;

	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		v = (v >> 8 | v << 8) & 0xFFFFu;
	return v;
}

/* in the machine's own byte order, where order doesn't matter */
static inline FAST_INLINE uint64_t fast_load8_any(const uint8_t *s)
{
	return ((const struct fast_u64 *)s)->v;
}

static inline FAST_INLINE uint64_t fast_load8(const uint8_t *s)
{
	uint64_t v = fast_load8_any(s);

	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) {
		v = (v >> 8 & 0x00FF00FF00FF00FFu) |
		    (v & 0x00FF00FF00FF00FFu) << 8;
		v = (v >> 16 & 0x0000FFFF0000FFFFu) |
		    (v & 0x0000FFFF0000FFFFu) << 16;
		v = v >> 32 | v << 32;
	}
	return v;
}

/* 32 bytes: has any of them its highest bit set? */
static inline FAST_INLINE bool fast_ascii_32(const uint8_t *s)
{
	return !((fast_load8_any(s) | fast_load8_any(s + 8) |
		  fast_load8_any(s + 16) | fast_load8_any(s + 24)) & FAST_HIGH);
}

/* Selects, for a and b below half of SIZE_MAX: the sign says which is less. */

static inline FAST_INLINE size_t fast_all_if_less(size_t a, size_t b)
{
	return 0u - ((a - b) >> (8u * sizeof(size_t) - 1u));
}

static inline FAST_INLINE size_t fast_min(size_t a, size_t b)
{
	return b + ((a - b) & fast_all_if_less(a, b));
}

/* a - b, 0 when that would be negative */
static inline FAST_INLINE size_t fast_excess(size_t a, size_t b)
{
	return (a - b) & ~fast_all_if_less(a, b);
}

/* The shift DFA. */

static inline FAST_INLINE uint32_t fast_step(uint32_t state, uint8_t byte)
{
	return utf8val_fast_rows[byte] >> (state & 31u);
}

static inline FAST_INLINE bool fast_alive(uint32_t state)
{
	return (state & 31u) != UTF8VAL_FAST_REJECT;
}

static inline FAST_INLINE bool fast_accepted(uint32_t state)
{
	return (state & 31u) == FAST_ACCEPT;
}

/* eight bytes from memory */
static inline FAST_INLINE uint32_t fast_walk(uint32_t state, const uint8_t *s)
{
	state = fast_step(state, s[0]);
	state = fast_step(state, s[1]);
	state = fast_step(state, s[2]);
	state = fast_step(state, s[3]);
	state = fast_step(state, s[4]);
	state = fast_step(state, s[5]);
	state = fast_step(state, s[6]);
	return fast_step(state, s[7]);
}

/* eight bytes in a register */
static inline FAST_INLINE uint32_t fast_walk_word(uint32_t state, uint64_t word)
{
	state = fast_step(state, (uint8_t)word);
	state = fast_step(state, (uint8_t)(word >> 8));
	state = fast_step(state, (uint8_t)(word >> 16));
	state = fast_step(state, (uint8_t)(word >> 24));
	state = fast_step(state, (uint8_t)(word >> 32));
	state = fast_step(state, (uint8_t)(word >> 40));
	state = fast_step(state, (uint8_t)(word >> 48));
	return fast_step(state, (uint8_t)(word >> 56));
}

/*
 * Blank out the tail bytes that a word begins with, three of them at most.
 * NUL is a character of its own: a walk passes it without leaving FAST_ACCEPT.
 */
static inline FAST_INLINE uint64_t fast_blank_tails(uint64_t word)
{
	/* bit 7 of the bytes that are no tails; the fourth counts as one */
	uint32_t low = (uint32_t)word;
	uint32_t stop = ((~low | low << 1) & 0x00808080u) | 0x80000000u;
	/* from the lowest bit of the first such byte on, all ones */
	uint64_t keep = 0u - (uint64_t)((stop & (0u - stop)) >> 7);

	return word & keep;
}

/* A walk that remembers where it was at a boundary last. */
struct fast_trace {
	uint32_t state;
	size_t at;		/* bytes walked */
	size_t boundary;	/* of them, those before the last boundary */
};

static inline FAST_INLINE void fast_trace_byte(struct fast_trace *trace,
					       uint64_t byte)
{
	trace->state = fast_step(trace->state, (uint8_t)byte);
	trace->at++;
	trace->boundary = fast_accepted(trace->state) ? trace->at :
							trace->boundary;
}

static inline FAST_INLINE void fast_trace_word(struct fast_trace *trace,
					       uint64_t word)
{
	fast_trace_byte(trace, word);
	fast_trace_byte(trace, word >> 8);
	fast_trace_byte(trace, word >> 16);
	fast_trace_byte(trace, word >> 24);
	fast_trace_byte(trace, word >> 32);
	fast_trace_byte(trace, word >> 40);
	fast_trace_byte(trace, word >> 48);
	fast_trace_byte(trace, word >> 56);
}

/* The last boundary that a walk over two words meets: the bytes before it. */
static FAST_NOINLINE size_t fast_last_boundary(uint64_t first, uint64_t second)
{
	struct fast_trace trace = { FAST_ACCEPT, 0, 0 };

	fast_trace_word(&trace, first);
	fast_trace_word(&trace, second);
	return trace.boundary;
}

/*
 * The size classes. Each returns the length of the longest well-formed prefix;
 * when that is not the whole input and where is false, any shorter length.
 */

/* 0 to 7 bytes */
static inline FAST_INLINE size_t fast_prefix_7(const uint8_t *s, size_t len,
					       bool where)
{
	size_t last = len - 2u;
	size_t second, third;
	uint64_t word;

	if (len < 2)
		return len && s[0] < 0x80u;
	second = fast_min(2, last);
	third = fast_excess(last, 2);
	word = fast_load2(s) | fast_load2(s + second) << 8 * second |
	       fast_load2(s + third) << 8 * third |
	       fast_load2(s + last) << 8 * last;
	if (!(word & FAST_HIGH) ||
	    fast_accepted(fast_walk_word(FAST_ACCEPT, word)))
		return len;
	return where ? fast_last_boundary(word, 0) : 0;
}

/* 8 to 15 bytes */
static inline FAST_INLINE size_t fast_prefix_15(const uint8_t *s, size_t len,
						bool where)
{
	size_t blank = 16u - len;
	/* shifted in two steps: a word has no shift by 64 */
	uint64_t first = fast_load8(s) << 4 * blank << 4 * blank;
	uint32_t state = fast_walk_word(FAST_ACCEPT, first);

	if (fast_accepted(fast_walk(state, s + len - 8)))
		return len;
	if (!where)
		return 0;
	return fast_last_boundary(first, fast_load8(s + len - 8)) - blank;
}

/*
 * From 16 bytes, both walks. Either takes a multiple of 8 bytes, so that
 * 2 * walk >= len + 4 and walk <= len.
 */
static inline FAST_INLINE size_t fast_walk_length(size_t len)
{
	return (len + 19u) / 16u * 8u;
}

/*
 * Where both walks, stopped before at or at their end, went wrong: the last
 * boundary before. Nothing is wrong in the front walk's [0, at - 8) nor, unless
 * it is in the front walk's part, in as much of the back walk's.
 */
static FAST_NOINLINE size_t fast_locate(const uint8_t *s, size_t len, size_t at,
					uint32_t front, uint32_t back)
{
	size_t walk = fast_walk_length(len);
	size_t error = at - 8u;
	size_t from;
	uint64_t first;

	if (fast_alive(front)) {
		size_t behind = error + len - walk;

		for (; at < fast_min(behind, walk); at += 8) {
			front = fast_walk(front, s + at);
			if (!fast_alive(front))
				break;
		}
		error = fast_alive(front) ? behind : at;
		/* no byte is wrong: the end comes too early */
		if (fast_alive(front) && fast_alive(back))
			error = len;
	}
	/*
	 * Sixteen bytes around it, from three before: a character that reaches
	 * it does not begin earlier.
	 */
	from = fast_min(fast_excess(error, 3), len - 16u);
	first = fast_load8(s + from);
	if (from)
		first = fast_blank_tails(first);
	return from + fast_last_boundary(first, fast_load8(s + from + 8));
}

static inline FAST_INLINE size_t fast_prefix_16(const uint8_t *s, size_t len,
						bool where)
{
	size_t walk = fast_walk_length(len);
	const uint8_t *q = s + (len - walk);
	uint64_t first = fast_blank_tails(fast_load8(q));
	uint32_t front = fast_walk(FAST_ACCEPT, s);
	uint32_t back = fast_walk_word(FAST_ACCEPT, first);
	size_t at;

	for (at = 8; at < walk; at += 8) {
		if (!fast_alive(front) || !fast_alive(back))
			break;
		front = fast_walk(front, s + at);
		back = fast_walk(back, q + at);
	}
	if (fast_alive(front) && fast_accepted(back))
		return len;
	return where ? fast_locate(s, len, at, front, back) : 0;
}

static FAST_NOINLINE size_t fast_where_16(const uint8_t *s, size_t len)
{
	return fast_prefix_16(s, len, true);
}

/*
 * Long input: runs of one shape. Each takes a boundary and returns the one up
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

/*
 * Six words that cover 8 to 48 bytes, whatever the length, and reach no
 * further.
 */
static inline FAST_INLINE bool fast_ascii_48(const uint8_t *s, size_t len)
{
	size_t last = len - 8u;

	return !((fast_load8_any(s) | fast_load8_any(s + fast_min(last, 8)) |
		  fast_load8_any(s + fast_min(last, 16)) |
		  fast_load8_any(s + fast_excess(last, 16)) |
		  fast_load8_any(s + fast_excess(last, 8)) |
		  fast_load8_any(s + last)) & FAST_HIGH);
}

static FAST_NOINLINE bool fast_valid_7(const uint8_t *s, size_t len)
{
	return fast_prefix_7(s, len, false) == len;
}

static FAST_NOINLINE bool fast_valid_15(const uint8_t *s, size_t len)
{
	return fast_prefix_15(s, len, false) == len;
}

static FAST_NOINLINE bool fast_valid_16(const uint8_t *s, size_t len)
{
	return fast_prefix_16(s, len, false) == len;
}

/* What utf8val_valid() does. */
static inline FAST_INLINE bool utf8val_engine_valid(const uint8_t *s,
						    size_t len)
{
	if (len < 8)
		return fast_valid_7(s, len);
	if (len > 48)
		return fast_prefix_49(s, len) == len;
	if (fast_ascii_48(s, len))
		return true;
	return len < 16 ? fast_valid_15(s, len) : fast_valid_16(s, len);
}

static FAST_NOINLINE size_t fast_where_7(const uint8_t *s, size_t len)
{
	return fast_prefix_7(s, len, true);
}

static FAST_NOINLINE size_t fast_where_15(const uint8_t *s, size_t len)
{
	return fast_prefix_15(s, len, true);
}

/* What utf8val_prefix() does. */
static inline FAST_INLINE size_t utf8val_engine_prefix(const uint8_t *s,
						       size_t len)
{
	if (len < 8)
		return fast_where_7(s, len);
	if (len > 48)
		return fast_prefix_49(s, len);
	if (fast_ascii_48(s, len))
		return len;
	return len < 16 ? fast_where_15(s, len) : fast_where_16(s, len);
}

/*
 * What utf8val_count() and utf8val_replace() do with well-formed text. They
 * take parts of it that stay in the nearest cache from one pass to the next.
 */
#define FAST_PART 4096u

static inline FAST_INLINE size_t fast_part(size_t len)
{
	return len < FAST_PART ? len : FAST_PART;
}

/* The tails in a word, one in the lowest bit of each. */
static inline FAST_INLINE uint64_t fast_tails(uint64_t word)
{
	return (word & ~(word << 1)) >> 7 & FAST_EACH(1u);
}

/* The sum of a word's bytes, below 256: the highest byte of the product. */
static inline FAST_INLINE size_t fast_sum(uint64_t word)
{
	return (size_t)(word * FAST_EACH(1u) >> 56);
}

/* Well-formed text: its tails. */
static FAST_NOINLINE size_t fast_count_tails(const uint8_t *s, size_t len)
{
	size_t tails = 0;
	size_t at = 0;

	while (len - at > 32u) {
		uint64_t sums = fast_tails(fast_load8_any(s + at)) +
				fast_tails(fast_load8_any(s + at + 8)) +
				fast_tails(fast_load8_any(s + at + 16)) +
				fast_tails(fast_load8_any(s + at + 24));

		tails += fast_sum(sums);
		at += 32;
	}
	for (; len - at > 8u; at += 8)
		tails += fast_sum(fast_tails(fast_load8_any(s + at)));
	if (len >= 8u) {
		/* the last word, less those of its bytes that are counted */
		uint64_t word = fast_load8(s + len - 8) >> 8 * (at + 8u - len);

		return tails + fast_sum(fast_tails(word));
	}
	for (; at < len; at++)
		tails += (s[at] & 0xC0u) == 0x80u;
	return tails;
}

/*
 * Characters from the start of s on, as many as there are or fewer: adds their
 * number to *units and returns their length.
 */
static inline FAST_INLINE size_t utf8val_engine_count(const uint8_t *s,
						      size_t len, size_t *units)
{
	size_t ascii, rest;

	if (len >= 8 && len <= 48 && fast_ascii_48(s, len)) {
		*units += len;
		return len;
	}
	ascii = fast_run_1(s, 0, len);
	rest = utf8val_engine_prefix(s + ascii, fast_part(len - ascii));
	*units += ascii + rest - fast_count_tails(s + ascii, rest);
	return ascii + rest;
}

/* The same for a copy: as many as fit into room. */
static inline FAST_INLINE size_t
utf8val_engine_copy(uint8_t *d, size_t room, const uint8_t *s, size_t len)
{
	size_t run = utf8val_engine_prefix(s, fast_part(len));
	size_t at = 0;

	if (run > room) {
		run = room;
		while (run && (s[run] & 0xC0u) == 0x80u)
			run--;
	}
	for (; run - at >= 8u; at += 8) {
		((struct fast_u64 *)(d + at))->v = fast_load8_any(s + at);
		/* no loop that a compiler takes for memcpy() and calls it */
		__asm__ volatile("" : : : "memory");
	}
	for (; at < run; at++) {
		d[at] = s[at];
		__asm__ volatile("" : : : "memory");
	}
	return run;
}

/* The same when there is no room: only the length. */
static inline FAST_INLINE size_t utf8val_engine_skip(const uint8_t *s,
						     size_t len)
{
	return utf8val_engine_prefix(s, len);
}

#endif /* UTF8VAL_FAST_H */
