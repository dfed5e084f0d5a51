/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The compact engine: it takes the automaton's steps a byte at a time, in as
 * little code as the grammar allows. The word engine and the MVE engine leave
 * to this engine what they do not pass over.
 */
#ifndef UTF8VAL_COMPACT_H
#define UTF8VAL_COMPACT_H

#include "tables.h"

/* Is a difference of small numbers, modulo 2^32, below 0? */
static inline bool utf8val_below_0(uint32_t difference)
{
	return difference > 0x7FFFFFFFu;
}

/*
 * The longest well-formed prefix of @len bytes at @s, of which the first @at
 * are known to be well-formed already.
 *
 * state is a lead byte minus E1: at first that of the character, later one
 * after which the same tails are due. It is 0, as for E1, if two tails are due
 * and any will do, and below -1 if one is. That a byte is above all leads is
 * found out only at the byte after it, which does not move the boundary.
 *
 * state is unsigned, since a negative number must not be shifted. Its sign is
 * tested in two ways, whichever makes GCC and Clang emit less code.
 */
static inline size_t utf8val_compact_walk(const uint8_t *s, size_t len,
					  size_t at)
{
	/*@ loop invariant \at(at, Pre) <= at <= len && utf8(s, 0, at);
	    loop invariant \forall integer m; at <= m <= len ==>
	      (utf8(s, 0, m) <==> utf8(s, at, m));
	    loop assigns at; loop variant len - at; */
	for (;;) {
		const size_t boundary = at;
		uint32_t state;

		if (at == len)
			return boundary;
		state = s[at];
		at++;
		if (state < 0x80u) {
			//@ assert utf8_char(s, boundary, 1) && at == boundary + 1;
			continue;
		}
		if (state < UTF8VAL_LEAD_FIRST)
			return boundary;
		state -= UTF8VAL_STATE_TWO_TAILS;
		/*@ loop invariant at <= len && in_char(s, boundary, at, state);
		    loop assigns at, state; loop variant len - at; */
		for (;;) {
			uint32_t tail;

			if (at == len)
				return boundary;
			tail = s[at] - 0x80u;
			//@ assert tail < 0x40 ==> tail == s[at] - 0x80;
			at++;
			if (tail >= 0x40u)
				return boundary;
			if (utf8val_below_0(state + 1u)) {
				/*@ assert utf8_char(s, boundary, at - boundary) &&
				      boundary < at <= len; */
				break;
			}
			//@ assert known: state == 0xFFFFFFFF || state <= 30;
			/*@ assert four_times: state == 0xFFFFFFFF ==>
			      (uint32_t)(4 * state) == 0xFFFFFFFC; */
			//@ assert (tail >> 4) == quarter(tail);
			/*
			 * the row that lead and tail make, as engine/tables.h
			 * counts for this walk
			 */
			state = 4u * state + (tail >> 4) + UTF8VAL_WALK_ROW;
			/*@ assert row: at == boundary + 2 ?
			      (s[boundary] == 0xE0 && s[boundary+1] < 0xA0 ?
			       state >= 0xFFFFFFFE :
			       state == 4 * (s[boundary] - 0xE0) +
				 quarter(s[boundary+1] - 0x80) - 2) :
			      at == boundary + 3 && utf8_tail(s[boundary+2]) &&
			      state == 2 + quarter(s[boundary+2] - 0x80); */
			if (utf8val_below_0(state) ||
			    state >> 1 == UTF8VAL_WALK_HOLE)
				return boundary;
			//@ assert hole: !(52 <= state <= 53);
			/*@ assert three: at == boundary + 2 && state < 62 ==>
			      0xE0 <= s[boundary] < 0xF0 && in_second(s, boundary); */
			/*@ assert four: at == boundary + 2 && 63 <= state <= 78 ==>
			      0xF0 <= s[boundary] <= 0xF4 && in_second(s, boundary); */
			//@ assert later: at == boundary + 3 ==> state < 6;
			/*@ assert less: (uint32_t)(state - 63) ==
			      state - 63 + (state < 63 ? 0x100000000 : 0); */
			state -= UTF8VAL_WALK_ROW4;
			if ((int32_t)state < -1)
				continue;
			/*@ assert sixteen: state < 16 <==> at == boundary + 2 &&
			      0xF0 <= s[boundary] <= 0xF4 && in_second(s, boundary); */
			//@ assert rest: state == 0xFFFFFFFF || state < 64;
			//@ assert none: state == 0xFFFFFFFF ==> (state >> 4) != 0;
			//@ assert (state >> 4) == 0 <==> state < 16;
			/*
			 * a row of 0 to 15 is a four-byte lead's: two tails are
			 * due, and any will do
			 */
			state >>= 4;
			if (state != 0u)
				return boundary;
		}
	}
}

#endif /* UTF8VAL_COMPACT_H */
