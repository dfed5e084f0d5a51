/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fast engine on names, in size classes: fast_valid_*() tell whether the
 * whole input is well-formed, fast_where_*() how far it is.
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
 * bytes in front. Returns: is the whole name well-formed? If @tails is given,
 * counts the name's tails there, rightly if the name is well-formed.
 *
 * If @end is given, the walk stops after the first word in which a byte is
 * rejected, or at the name's end, and *@end is where; *@before is the state
 * before that word, and *@middle the state in its middle.
 */
static inline FAST_INLINE bool fast_walk_name(const uint8_t *s, size_t len,
					      size_t *end, uint32_t *before,
					      uint32_t *middle, uint64_t *tails)
{
	size_t blank = (8u - len % 8u) % 8u;
	uint64_t word = fast_shift_up(fast_load8(s), blank);
	uint32_t begin = FAST_ACCEPT;
	uint32_t half = fast_walk_low(begin, word);
	uint32_t state = fast_walk_high(half, word);
	size_t at;

	if (tails)
		*tails = fast_tails(word);
	for (at = 8u - blank; at != len; at += 8)
	UTF8VAL_LOOP(name) {
		if (end) {
			if (!fast_alive(state))
				break;
			begin = state;
		}
		half = fast_walk4(state, s + at);
		state = fast_walk4(half, s + at + 4);
		if (tails)
			*tails = fast_add_tails(*tails, fast_load8(s + at));
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
	return fast_walk_name(s, len, NULL, NULL, NULL, NULL);
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

	if (fast_walk_name(s, len, &end, &before, &middle, NULL))
		return len;
	return fast_boundary_name(s, end, before, middle);
}

/* How many characters the input has; 0 if it is ill-formed. */

static FAST_NOINLINE size_t fast_units_tiny(const uint8_t *s, size_t len)
{
	if (fast_prefix_tiny(s, len, false) != len)
		return 0;
	return len - fast_sum(fast_tails(fast_load_tiny(s, len)));
}

static FAST_NOINLINE size_t fast_units_name(const uint8_t *s, size_t len)
{
	uint64_t tails;

	if (!fast_walk_name(s, len, NULL, NULL, NULL, &tails))
		return 0;
	return len - fast_sum(tails);
}

/*
 * Why a sequence is ill-formed. @lead is its first byte, @good says how many of
 * its bytes are good, @next is the byte that is not, and @cut says that the
 * input ends there instead.
 */
static inline FAST_INLINE uint8_t fast_reason(uint8_t lead, size_t good,
					      uint8_t next, bool cut)
{
	bool tail = fast_is_tail(next);
	/* not &&, of which GCC makes a branch */
	size_t missing = (size_t)(good != 0) & (size_t)(tail == 0);

	return utf8val_fast_reasons[0x40u * cut + 0x20u * missing +
				    (lead >> 2) - 0x20u];
}

/*
 * The results of utf8val_check(), for well-formed input and for ill-formed
 * input. In the latter the first @valid bytes are well-formed, and the
 * automaton passed the first @passed bytes before it rejected one or the input
 * ended.
 */

static inline FAST_INLINE struct utf8val_result fast_good(size_t len)
{
	struct utf8val_result result;

	result.valid = len;
	result.bad = 0;
	result.reason = UTF8VAL_OK;
	return result;
}

static inline FAST_INLINE struct utf8val_result
fast_bad(const uint8_t *s, size_t len, size_t valid, size_t passed)
{
	struct utf8val_result result;
	size_t good = passed - valid;
	bool cut = passed == len;

	result.valid = valid;
	result.bad = (uint8_t)(good + (good == 0));
	result.reason = fast_reason(s[valid], good, s[passed - cut], cut);
	return result;
}

static FAST_NOINLINE struct utf8val_result fast_bad_name(const uint8_t *s,
							 size_t len, size_t end,
							 uint32_t before,
							 uint32_t middle)
{
	size_t passed = fast_passed_name(s, end, before, middle);

	return fast_bad(s, len, fast_boundary(s, passed), passed);
}

static FAST_NOINLINE struct utf8val_result fast_check_name(const uint8_t *s,
							   size_t len)
{
	uint32_t before, middle;
	size_t end;

	if (fast_walk_name(s, len, &end, &before, &middle, NULL))
		return fast_good(len);
	return fast_bad_name(s, len, end, before, middle);
}

#endif /* UTF8VAL_FAST_NAME_H */
