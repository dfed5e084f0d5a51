/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fast engine: for kernels and hosts, on integer registers alone. engine.h
 * includes this file.
 *
 * This engine walks RFC 3629's automaton as a shift DFA (Per Vognsen, 2021). A
 * state is a bit offset; the row of a byte in utf8val_fast_rows[] is a word
 * that has the next state at every state's offset. A step is one load and one
 * shift without a branch,
 *
 *	state = row[byte] >> state
 *
 * and only the shift waits for the step before. This dependency limits the
 * speed of a single walk, so two walks run side by side:
 *
 *	|<------------ front ------------>|
 *	                     |<------------- back ------------>|
 *	0                    offset       walk                 len
 *
 * The back walk may start inside a character, so up to three tail bytes at its
 * start are blanked out. Let z be the first byte after those. The walks overlap
 * by four bytes, so the front walk reads z. The input is well-formed exactly
 * when the front walk is not rejected and the back walk is accepted:
 *
 * - In well-formed input at most three tails follow each other, so z starts a
 *   character and the back walk is right from z on.
 * - Conversely, if z is a tail, the back walk is rejected. If z is no tail, the
 *   front walk, which was not rejected at z, was at a boundary before z:
 *   [0, z) is well-formed. The back walk shows the same for [z, len).
 *
 * A name is short, so a mispredicted branch costs as much as walking twenty
 * bytes. While one name is walked, the processor has begun with the next
 * already. So there are few size classes, and only the longer ones have both
 * walks:
 *
 *	tiny	0 to 7		one word, put together from overlapping loads
 *	name	8 to 48		one walk by words, blank bytes in front
 *	line	49 to 96	both walks
 *		97 to 512	both walks after the leading words of ASCII
 *	text	from 513	runs of one shape as words, both walks between
 *
 * The name of a function ends in its size class; "long" is a line or a text. A
 * digit right after a word, as in load8, is a number of bytes.
 *
 * Before any walk, six loads tell whether a name is all ASCII. No load reaches
 * outside the input, and no load needs alignment. A choice that must not become
 * a branch is written as arithmetic.
 *
 *	fast_dfa.h	words and the shift DFA's steps
 *	fast_name.h	tiny input and names
 *	fast_text.h	runs, lines and text
 */
#ifndef UTF8VAL_FAST_H
#define UTF8VAL_FAST_H

#include "fast_text.h"

/* The engine's utf8val_valid(). */
static inline FAST_INLINE bool fast_valid(const uint8_t *s, size_t len)
{
	if (len <= FAST_TINY_MAX)
		return fast_valid_tiny(s, len);
	if (len > FAST_NAME_MAX)
		return fast_valid_long(s, len);
	if (fast_ascii_name(s, len))
		return true;
	return fast_valid_name(s, len);
}

/* The engine's utf8val_prefix(). */
static inline FAST_INLINE size_t fast_prefix(const uint8_t *s, size_t len)
{
	if (len <= FAST_TINY_MAX)
		return fast_where_tiny(s, len);
	if (len > FAST_NAME_MAX)
		return fast_where_long(s, len);
	if (fast_ascii_name(s, len))
		return len;
	return fast_where_name(s, len);
}

/*
 * Pass well-formed characters from the start of s on, all of them or fewer:
 * adds their number to *units and returns their length in bytes.
 */
static inline FAST_INLINE size_t fast_count(const uint8_t *s, size_t len,
					    size_t *units)
{
	size_t tails = 0;
	size_t run;

	if (len > FAST_TINY_MAX && len <= FAST_NAME_MAX &&
	    fast_ascii_name(s, len)) {
		run = len;
	} else if (len > FAST_LINE_MAX) {
		run = fast_prefix_text(s, len, &tails);
	} else {
		run = fast_prefix(s, len);
		tails = fast_count_tails(s, run);
	}
	*units += run - tails;
	return run;
}

static inline FAST_INLINE void fast_copy2(uint8_t *d, const uint8_t *s)
{
	((struct fast_u16 *)d)->v = ((const struct fast_u16 *)s)->v;
}

static inline FAST_INLINE void fast_copy8(uint8_t *d, const uint8_t *s)
{
	((struct fast_u64 *)d)->v = fast_load8_any(s);
}

/* Copy tiny input, by the words that fast_load_tiny() loads. */
static inline FAST_INLINE void fast_copy_tiny(uint8_t *d, const uint8_t *s,
					      size_t len)
{
	size_t last = len - 2u;
	size_t second, third;

	if (len < 2) {
		if (len)
			d[0] = s[0];
		return;
	}
	second = fast_min(last, 2);
	third = last - second;
	fast_copy2(d, s);
	fast_copy2(d + second, s + second);
	fast_copy2(d + third, s + third);
	fast_copy2(d + last, s + last);
}

/* Copy 8 to 16 bytes, by two words that may overlap. */
static inline FAST_INLINE void fast_copy16(uint8_t *d, const uint8_t *s,
					   size_t len)
{
	fast_copy8(d, s);
	fast_copy8(d + (len - 8), s + (len - 8));
}

/* Copy a name, by the words that fast_ascii_name() loads. */
static inline FAST_INLINE void fast_copy_name(uint8_t *d, const uint8_t *s,
					      size_t len)
{
	size_t last = len - 8u;
	size_t second = fast_min(last, 8);
	size_t third = fast_min(last, 16);

	fast_copy8(d, s);
	fast_copy8(d + second, s + second);
	fast_copy8(d + third, s + third);
	fast_copy8(d + (last - third), s + (last - third));
	fast_copy8(d + (last - second), s + (last - second));
	fast_copy8(d + last, s + last);
}

/* Copy 8 bytes or more. */
static FAST_NOINLINE void fast_copy(uint8_t *d, const uint8_t *s, size_t len)
{
	size_t at = 0;

	for (; len - at > 16; at += 16) {
		fast_copy16(d + at, s + at, 16);
		/*
		 * keeps compilers from turning the loop into a call of memcpy()
		 */
		__asm__ volatile("" : : : "memory");
	}
	at = fast_min(at, len - 8);
	fast_copy16(d + at, s + at, len - at);
}

/* Copy text, or one sequence. */
static inline FAST_INLINE void fast_copy_any(uint8_t *d, const uint8_t *s,
					     size_t len)
{
	if (len <= FAST_TINY_MAX)
		fast_copy_tiny(d, s, len);
	else if (len <= FAST_NAME_MAX)
		fast_copy_name(d, s, len);
	else
		fast_copy(d, s, len);
}

#endif /* UTF8VAL_FAST_H */
