/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The compact engine takes the automaton's steps a byte at a time, in as little code as
 * the grammar allows. It is also the end of the word engine and the MVE engine, for the
 * text that these do not skip.
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
 * and any will do, and below -1 if one is. A byte above all leads is found out
 * only at the byte after it, which does not move the boundary.
 *
 * state is unsigned, since a negative number must not be shifted. Its sign is
 * tested in two ways, whichever makes GCC and Clang emit less code.
 */
static inline size_t utf8val_compact_walk(const uint8_t *s, size_t len,
					  size_t at)
{
	for (;;)
	UTF8VAL_LOOP(compact_characters) {
		const size_t boundary = at;
		uint32_t state;

		if (at == len)
			return boundary;
		state = s[at];
		at++;
		if (state < 0x80u)
			continue;
		if (state < UTF8VAL_LEAD_FIRST)
			return boundary;
		state -= UTF8VAL_STATE_TWO_TAILS;
		for (;;)
		UTF8VAL_LOOP(compact_tails) {
			uint32_t tail;

			if (at == len)
				return boundary;
			tail = s[at] - 0x80u;
			at++;
			if (tail >= 0x40u)
				return boundary;
			if (utf8val_below_0(state + 1u))
				break;
			/*
			 * the row that lead and tail make, as engine/tables.h
			 * counts for this walk
			 */
			state = 4u * state + (tail >> 4) + UTF8VAL_WALK_ROW;
			if (utf8val_below_0(state) ||
			    state >> 1 == UTF8VAL_WALK_HOLE)
				return boundary;
			state -= UTF8VAL_WALK_ROW4;
			if ((int32_t)state < -1)
				continue;
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
