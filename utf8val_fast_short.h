/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fast engine on names, in size classes: fast_valid_*() say whether all is
 * well-formed, fast_where_*() how far.
 */
#ifndef UTF8VAL_FAST_SHORT_H
#define UTF8VAL_FAST_SHORT_H

#include "utf8val_fast_walk.h"

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

static FAST_NOINLINE size_t fast_where_7(const uint8_t *s, size_t len)
{
	return fast_prefix_7(s, len, true);
}

static FAST_NOINLINE size_t fast_where_15(const uint8_t *s, size_t len)
{
	return fast_prefix_15(s, len, true);
}

static FAST_NOINLINE size_t fast_where_16(const uint8_t *s, size_t len)
{
	return fast_prefix_16(s, len, true);
}

#endif /* UTF8VAL_FAST_SHORT_H */
