/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fast engine on names, in size classes: fast_valid_*() tell whether the
 * whole input is well-formed, fast_where_*() how far it is. fast.h and
 * vector_walk.h call these functions, fast_text.h includes this file.
 */
#ifndef UTF8VAL_FAST_NAME_H
#define UTF8VAL_FAST_NAME_H

#include "fast_dfa.h"

/*
 * Is a name ASCII? Six words cover a name of any length, and reach no further.
 */
static inline FAST_INLINE bool fast_ascii_name(const uint8_t *s, size_t len)
{
	size_t last = len - 8u;
	size_t second = fast_min(last, 8);
	size_t third = fast_min(last, 16);

	return !((fast_load8_any(s) | fast_load8_any(s + second) |
		  fast_load8_any(s + third) |
		  fast_load8_any(s + (last - third)) |
		  fast_load8_any(s + (last - second)) |
		  fast_load8_any(s + last)) & FAST_HIGH);
}

/*
 * The size classes. Each function returns the length of the longest well-formed
 * prefix. If that is not the whole input and @where is false, it may return any
 * length below the input's.
 */

/* tiny */
static inline FAST_INLINE size_t fast_prefix_tiny(const uint8_t *s, size_t len,
						  bool where)
{
	uint64_t word = fast_load_tiny(s, len);
	size_t passed;

	if (!(word & FAST_HIGH) ||
	    fast_accepted(fast_walk_word(FAST_ACCEPT, word)))
		return len;
	if (!where)
		return 0;
	/* a character that the end cuts off is rejected at the zero after it */
	passed = fast_passed_word(FAST_ACCEPT, word);
	return passed - fast_unfinished(fast_shift_out(word, 8u - passed));
}

/*
 * Walk over a name by whole words, the first of which is filled up with blank
 * bytes in front. Returns: is the whole name well-formed?
 *
 * If @end is given, the walk stops after the first word in which a byte is
 * rejected, or at the name's end. *@end is where it stopped, *@before the state
 * before the last word, and *@middle the state in the middle of that word.
 */
static inline FAST_INLINE bool fast_walk_name(const uint8_t *s, size_t len,
					      size_t *end, uint32_t *before,
					      uint32_t *middle)
{
	size_t blank = (8u - len % 8u) % 8u;
	uint64_t word = fast_shift_up(fast_load8(s), blank);
	uint32_t begin = FAST_ACCEPT;
	uint32_t half = fast_walk_low(begin, word);
	uint32_t state = fast_walk_high(half, word);
	size_t at;

	for (at = 8u - blank; at != len; at += 8)
	UTF8VAL_LOOP(name) {
		if (end) {
			if (!fast_alive(state))
				break;
			begin = state;
		}
		half = fast_walk4(state, s + at);
		state = fast_walk4(half, s + at + 4);
	}
	if (end) {
		*end = at;
		*before = begin;
		*middle = half;
	}
	return fast_accepted(state);
}

/*
 * How many bytes pass before one is rejected: looks into that half of the last
 * word, as fast_walk_name() tells it, in which this happens.
 */
static inline FAST_INLINE size_t fast_passed_name(const uint8_t *s, size_t end,
						  uint32_t before,
						  uint32_t middle)
{
	bool second = fast_alive(middle);
	size_t at = fast_sub_sat(end, 8u - 4u * second);
	uint32_t state = fast_select(second, middle, before);
	size_t passed;

	passed = fast_passed4(state, s + at);
	return at + passed;
}

static FAST_NOINLINE bool fast_valid_tiny(const uint8_t *s, size_t len)
{
	return fast_prefix_tiny(s, len, false) == len;
}

static FAST_NOINLINE size_t fast_where_tiny(const uint8_t *s, size_t len)
{
	return fast_prefix_tiny(s, len, true);
}

static FAST_NOINLINE bool fast_valid_name(const uint8_t *s, size_t len)
{
	return fast_walk_name(s, len, NULL, NULL, NULL);
}

/* Out of line, so that well-formed names need fewer registers. */
static FAST_NOINLINE size_t fast_boundary_name(const uint8_t *s, size_t end,
					       uint32_t before, uint32_t middle)
{
	return fast_boundary(s, fast_passed_name(s, end, before, middle));
}

static FAST_NOINLINE size_t fast_where_name(const uint8_t *s, size_t len)
{
	uint32_t before, middle;
	size_t end;

	if (fast_walk_name(s, len, &end, &before, &middle))
		return len;
	return fast_boundary_name(s, end, before, middle);
}

#endif /* UTF8VAL_FAST_NAME_H */
