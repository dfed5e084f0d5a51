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
 *
 *	utf8val_fast_walk.h	words and the shift DFA's steps
 *	utf8val_fast_short.h	the size classes up to 48 bytes
 *	utf8val_fast_long.h	runs, and all from 49 bytes
 */
#ifndef UTF8VAL_FAST_H
#define UTF8VAL_FAST_H

#include "utf8val_fast_long.h"

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
