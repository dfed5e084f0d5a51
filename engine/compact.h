/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The compact engine: the automaton a byte at a time, in as little code as the
 * grammar allows. The word engine leaves to it what it does not pass over.
 */
#ifndef UTF8VAL_COMPACT_H
#define UTF8VAL_COMPACT_H

#include "tables.h"

/*
 * The longest well-formed prefix of @len bytes at @s; the first @at of them are
 * known to be well-formed already.
 *
 * state is the last lead byte less the first three-byte lead: negative when one
 * tail is due, whichever; a byte that is above all leads is only found out
 * by the byte after it, which doesn't move the boundary.
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
		int32_t state;

		if (at == len)
			return boundary;
		state = s[at];
		at++;
		if (state < 0x80) {
			//@ assert utf8_char(s, boundary, 1) && at == boundary + 1;
			continue;
		}
		if (state < (int32_t)UTF8VAL_LEAD_FIRST)
			return boundary;
		state -= (int32_t)UTF8VAL_LEAD_3;
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
			if (state < 0) {
				/*@ assert utf8_char(s, boundary, at - boundary) &&
				      boundary < at <= len; */
				break;
			}
			//@ assert (tail >> 4) == quarter(tail);
			/* the row that lead and tail make, see the tables */
			state = 4 * state + (int32_t)(tail >> 4);
			if (state < UTF8VAL_ROW3_FIRST ||
			    (uint32_t)state >> 1 == UTF8VAL_ROW3_HOLE)
				return boundary;
			/*@ assert row: at == boundary + 2 ?
			      state == 4 * (s[boundary] - 0xE0) +
				quarter(s[boundary+1] - 0x80) :
			      at == boundary + 3 && utf8_tail(s[boundary+2]) &&
			      state == 4 + quarter(s[boundary+2] - 0x80); */
			//@ assert hole: !(54 <= state <= 55);
			/*@ assert three: at == boundary + 2 && state < 64 ==>
			      0xE0 <= s[boundary] < 0xF0 && in_second(s, boundary); */
			/*@ assert four: at == boundary + 2 && 65 <= state <= 80 ==>
			      0xF0 <= s[boundary] <= 0xF4 && in_second(s, boundary); */
			//@ assert later: at == boundary + 3 ==> state < 8;
			state -= UTF8VAL_ROW4;
			if (state < 0)
				continue;
			if (state < UTF8VAL_ROW4_FIRST - UTF8VAL_ROW4 ||
			    state > UTF8VAL_ROW4_LAST - UTF8VAL_ROW4)
				return boundary;
			/* two tails due, any: what E1 waits for */
			state = 1;
		}
	}
}

#endif /* UTF8VAL_COMPACT_H */
