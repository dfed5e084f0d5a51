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
	size_t second = fast_min(last, 8);
	size_t third = fast_min(last, 16);

	return !((fast_load8_any(s) | fast_load8_any(s + second) |
		  fast_load8_any(s + third) |
		  fast_load8_any(s + (last - third)) |
		  fast_load8_any(s + (last - second)) |
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
	uint64_t word = fast_load_7(s, len);
	size_t passed;

	if (!(word & FAST_HIGH) ||
	    fast_accepted(fast_walk_word(FAST_ACCEPT, word)))
		return len;
	if (!where)
		return 0;
	/* what the end cuts off is rejected by the zero behind it */
	passed = fast_passed(FAST_ACCEPT, word);
	return passed - fast_unfinished(fast_raise(word, 8u - passed));
}

/*
 * How far a walk over 8 to 48 bytes goes, blank bytes before them, of which it
 * passed whole words, and behind is its state there: looks into the next word.
 */
static inline FAST_INLINE size_t fast_passed_48(const uint8_t *s, size_t len,
						size_t blank, size_t passed,
						uint32_t behind)
{
	size_t at = fast_excess(passed, blank);
	uint64_t word = fast_load8(s + fast_min(at, len - 8u));

	word = fast_lift(word, fast_if_less(blank, passed, 8));
	/* at the end there is none: bytes not to pass */
	word = fast_fill_if(word, at == len);
	/*@ assert first: passed == 0 ==> \forall integer r;
	      passes_word(word, UTF8VAL_ACCEPT, r) ==>
	      blank <= r && passes(s, r - blank) && !passes(s, r - blank + 1); */
	//@ assert next: passed >= 8 && at < len ==> holds(word, s + at, 8);
	//@ assert none: at == len ==> byte_at(word, 0) == 0xFF;
	return passed + fast_passed(behind, word) - blank;
}

/*
 * 8 to 48 bytes: a walk over whole words, of which the first is filled up with
 * blank bytes. Counts tails if asked to; right when all is well-formed.
 */
static inline FAST_INLINE size_t fast_prefix_48(const uint8_t *s, size_t len,
						bool where, uint64_t *tails)
{
	size_t blank = (8u - len % 8u) % 8u;
	//@ assert blank: blank < 8 && (len + blank) % 8 == 0;
	uint64_t word = fast_lift(fast_load8(s), blank);
	uint32_t state = fast_walk_word(FAST_ACCEPT, word);
	/* words that are not rejected, in bytes, and the state behind */
	size_t passed = 0;
	uint32_t behind = FAST_ACCEPT;
	size_t at;

	//@ assert front: front_at(state, s, 8 - blank);
	if (tails)
		*tails = fast_tails(word);
	/*@ loop invariant eights: (at + blank) % 8 == 0 && 8 <= at + blank &&
	      at <= len;
	    loop invariant front: front_at(state, s, at);
	    loop invariant whole: passed % 8 == 0 && passed <= at + blank - 8;
	    loop invariant behind: front_at(behind, s, excess(passed, blank)) &&
	      passes(s, excess(passed, blank));
	    loop invariant tails: tails == \null || (few(*tails, at + blank) &&
	      word_sum(*tails) == tails_in(s, 0, at));
	    loop invariant stuck: where != 0 ==> passed == at + blank - 8 ||
	      !passes(s, passed + 8 - blank);
	    loop assigns at, state, passed, behind, *tails;
	    loop variant len - at; */
	for (at = 8u - blank;; at += 8) {
		if (where) {
			passed += 8u * fast_alive(state);
			behind = fast_select(fast_alive(state), state, behind);
			//@ assert whole: passed % 8 == 0 && passed <= at + blank;
		}
		if (at == len)
			break;
		state = fast_walk(state, s + at);
		//@ assert front: front_at(state, s, at + 8);
		if (tails) {
			*tails = fast_add_tails(*tails, fast_load8(s + at));
			//@ assert few: few(*tails, at + blank + 8);
			//@ assert sum: word_sum(*tails) == tails_in(s, 0, at + 8);
		}
	}
	if (fast_accepted(state))
		return len;
	//@ assert ill_formed: !utf8(s, 0, len);
	if (!where)
		return 0;
	passed = fast_passed_48(s, len, blank, passed, behind);
	//@ assert all: \forall integer m; longest(s, passed, m) ==> longest(s, len, m);
	return fast_boundary(s, passed);
}

static FAST_NOINLINE bool fast_valid_7(const uint8_t *s, size_t len)
{
	return fast_prefix_7(s, len, false) == len;
}

static FAST_NOINLINE size_t fast_where_7(const uint8_t *s, size_t len)
{
	return fast_prefix_7(s, len, true);
}

static FAST_NOINLINE bool fast_valid_48(const uint8_t *s, size_t len)
{
	return fast_prefix_48(s, len, false, NULL) == len;
}

static FAST_NOINLINE size_t fast_where_48(const uint8_t *s, size_t len)
{
	return fast_prefix_48(s, len, true, NULL);
}

/* The same, and how many tails it has. */
static FAST_NOINLINE size_t fast_count_48(const uint8_t *s, size_t len,
					  size_t *tails)
{
	uint64_t each;
	size_t prefix = fast_prefix_48(s, len, false, &each);

	if (prefix == len) {
		*tails = fast_sum(each);
		return len;
	}
	prefix = fast_where_48(s, len);
	*tails = fast_count_tails(s, prefix);
	return prefix;
}

#endif /* UTF8VAL_FAST_SHORT_H */
