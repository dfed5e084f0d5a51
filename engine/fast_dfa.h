/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fast engine's common parts: words, selects, steps of the shift DFA.
 * fast_name.h includes this file; all files of the fast and the vector engine
 * use it.
 */
#ifndef UTF8VAL_FAST_DFA_H
#define UTF8VAL_FAST_DFA_H

#include "../utf8val.h"
#include "fast_tables.h"

#define FAST_INLINE __attribute__((__always_inline__))
#define FAST_NOINLINE __attribute__((__noinline__))
/* a short loop that straddles a 64-byte cache line is a third slower */
#define FAST_ALIGNED __attribute__((__aligned__(64)))

#define FAST_ACCEPT UTF8VAL_FAST_ACCEPT
/* the longest input of the shorter size classes, in bytes */
#define FAST_TINY_MAX 7u
#define FAST_NAME_MAX 48u
#define FAST_LINE_MAX 512u
/* the highest bit of every byte, which ASCII does not set */
#define FAST_HIGH 0x8080808080808080u
/* a word whose bytes all are this one */
#define FAST_EACH(byte) (0x0101010101010101u * (byte))

/*
 * Choices between two values, written as arithmetic where compilers would make
 * a branch of ?:.
 */

static inline FAST_INLINE size_t fast_min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* a - b, or 0 where that would be negative */
static inline FAST_INLINE size_t fast_sub_sat(size_t a, size_t b)
{
	return a - fast_min(a, b);
}

/* size if a < b, else 0, by the sign of a - b: both are below SIZE_MAX / 2 */
static inline FAST_INLINE size_t fast_if_less(size_t size, size_t a, size_t b)
{
	return size & (0u - ((a - b) >> (8u * sizeof(size_t) - 1u)));
}

/* one if the condition holds, else zero */
static inline FAST_INLINE uint32_t fast_select(bool is, uint32_t one,
					       uint32_t zero)
{
	return zero ^ ((zero ^ one) & (0u - (uint32_t)is));
}

/* the word, or 0 if the condition holds */
static inline FAST_INLINE uint64_t fast_clear_if(uint64_t word, bool is)
{
	return word & ((uint64_t)is - 1u);
}

/* the word shifted up by 0 to 7 bytes */
static inline FAST_INLINE uint64_t fast_shift_up(uint64_t word, size_t bytes)
{
	return word << 8 * bytes;
}

/* the same by 0 to 8 bytes; C has no shift by 64, so by half twice */
static inline FAST_INLINE uint64_t fast_shift_out(uint64_t word, size_t bytes)
{
	return word << 4 * bytes << 4 * bytes;
}

/* the word shifted down by 1 to 8 bytes */
static inline FAST_INLINE uint64_t fast_shift_down(uint64_t word, size_t bytes)
{
	return word >> 4 * bytes >> 4 * bytes;
}

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

/* eight bytes in the machine's own byte order, where order does not matter */
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

/* Are 8 or 32 bytes ASCII: has none of them its highest bit set? */

static inline FAST_INLINE bool fast_ascii8(const uint8_t *s)
{
	return !(fast_load8_any(s) & FAST_HIGH);
}

static inline FAST_INLINE bool fast_ascii32(const uint8_t *s)
{
	return !((fast_load8_any(s) | fast_load8_any(s + 8) |
		  fast_load8_any(s + 16) | fast_load8_any(s + 24)) & FAST_HIGH);
}

/* tiny input as a word, with zeros after it */
static inline FAST_INLINE uint64_t fast_load_tiny(const uint8_t *s, size_t len)
{
	size_t last = len - 2u;
	size_t second, third;

	if (len < 2)
		return len ? s[0] : 0u;
	second = fast_min(last, 2);
	third = last - second;
	return fast_load2(s) | fast_load2(s + second) << 8 * second |
	       fast_load2(s + third) << 8 * third |
	       fast_load2(s + last) << 8 * last;
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

/* Walk over four or eight bytes in memory. */

static inline FAST_INLINE uint32_t fast_walk4(uint32_t state, const uint8_t *s)
{
	state = fast_step(state, s[0]);
	state = fast_step(state, s[1]);
	state = fast_step(state, s[2]);
	return fast_step(state, s[3]);
}

static inline FAST_INLINE uint32_t fast_walk(uint32_t state, const uint8_t *s)
{
	return fast_walk4(fast_walk4(state, s), s + 4);
}

/* Walk over a word's lower four bytes, its upper four, or all eight. */

static inline FAST_INLINE uint32_t fast_walk_low(uint32_t state, uint64_t word)
{
	state = fast_step(state, (uint8_t)word);
	state = fast_step(state, (uint8_t)(word >> 8));
	state = fast_step(state, (uint8_t)(word >> 16));
	return fast_step(state, (uint8_t)(word >> 24));
}

static inline FAST_INLINE uint32_t fast_walk_high(uint32_t state, uint64_t word)
{
	return fast_walk_low(state, word >> 32);
}

static inline FAST_INLINE uint32_t fast_walk_word(uint32_t state, uint64_t word)
{
	return fast_walk_high(fast_walk_low(state, word), word);
}

/*
 * Blank out the tail bytes that a word begins with, at most three of them, by
 * zeros. NUL is a character by itself, so a walk passes it without leaving
 * FAST_ACCEPT.
 */
static inline FAST_INLINE uint64_t fast_blank_tails(uint64_t word)
{
	/* bit 7 of each byte that is no tail, and of the fourth in any case */
	uint32_t low = (uint32_t)word;
	uint32_t stop = ((~low | low << 1) & 0x00808080u) | 0x80000000u;
	/* all ones from the lowest bit of the first such byte on */
	uint64_t keep = 0u - (uint64_t)((stop & (0u - stop)) >> 7);

	return word & keep;
}

static inline FAST_INLINE size_t fast_step_passes(uint32_t *state,
						  uint64_t byte)
{
	*state = fast_step(*state, (uint8_t)byte);
	return fast_alive(*state);
}

/* how many of four bytes come before the one that is rejected */
static inline FAST_INLINE size_t fast_passed4(uint32_t state, const uint8_t *s)
{
	size_t passed = fast_step_passes(&state, s[0]);

	passed += fast_step_passes(&state, s[1]);
	passed += fast_step_passes(&state, s[2]);
	return passed + fast_step_passes(&state, s[3]);
}

/* how many of a word's bytes come before the one that is rejected */
static inline FAST_INLINE size_t fast_passed_word(uint32_t state, uint64_t word)
{
	size_t passed = fast_step_passes(&state, word);

	passed += fast_step_passes(&state, word >> 8);
	passed += fast_step_passes(&state, word >> 16);
	passed += fast_step_passes(&state, word >> 24);
	passed += fast_step_passes(&state, word >> 32);
	passed += fast_step_passes(&state, word >> 40);
	passed += fast_step_passes(&state, word >> 48);
	return passed + fast_step_passes(&state, word >> 56);
}

/*
 * How many of the bytes that a walk passed belong to a character that is not
 * complete. @before holds the last eight of those bytes, the last one highest,
 * with 0 where the input has no byte.
 */
static inline FAST_INLINE size_t fast_unfinished(uint64_t before)
{
	return (size_t)(before >> 56 >= 0xC0u) +
	       (size_t)((before >> 48 & 0xFFu) >= 0xE0u) * 2u +
	       (size_t)((before >> 40 & 0xFFu) >= 0xF0u) * 3u;
}

/*
 * The state after these bytes, which the bytes of the incomplete character
 * alone decide.
 */
static inline FAST_INLINE uint32_t fast_behind(uint64_t before)
{
	size_t blank = 4u - fast_unfinished(before);
	uint64_t last = before >> 32 >> 8 * blank << 8 * blank;

	return fast_walk_low(FAST_ACCEPT, last);
}

/*
 * The last eight bytes that a walk passed, as fast_unfinished() takes them. The
 * input has at least 8 bytes.
 */
static inline FAST_INLINE uint64_t fast_ends(const uint8_t *s, size_t passed)
{
	uint64_t word = fast_load8(s + fast_sub_sat(passed, 8));

	return fast_shift_out(word, fast_sub_sat(8, passed));
}

/* The state after the bytes that a walk passed. The input has at least 8 bytes. */
static inline FAST_INLINE uint32_t fast_state(const uint8_t *s, size_t passed)
{
	return fast_behind(fast_ends(s, passed));
}

/* The last boundary in what a walk passed. The input has at least 8 bytes. */
static inline FAST_INLINE size_t fast_boundary(const uint8_t *s, size_t passed)
{
	return passed - fast_unfinished(fast_ends(s, passed));
}

static inline FAST_INLINE bool fast_is_tail(uint8_t byte)
{
	return (byte & 0xC0u) == 0x80u;
}

/*
 * Counting tails: in well-formed text, every character has one byte that is
 * none.
 */

/* the tails of a word, each a one in the lowest bit of its byte */
static inline FAST_INLINE uint64_t fast_tails(uint64_t word)
{
	return (word & ~(word << 1)) >> 7 & FAST_EACH(1u);
}

/* adds a word's tails, byte by byte; each byte can count to 255 */
static inline FAST_INLINE uint64_t fast_add_tails(uint64_t tails, uint64_t word)
{
	return tails + fast_tails(word);
}

/*
 * The sum of a word's bytes: first those of each pair are added, then a
 * multiplication adds the pairs up in its highest 16 bits.
 */
static inline FAST_INLINE size_t fast_sum(uint64_t word)
{
	word = (word & 0x00FF00FF00FF00FFu) + (word >> 8 & 0x00FF00FF00FF00FFu);
	return (size_t)(word * 0x0001000100010001u >> 48);
}

/* the sum of a word's bytes, which must be below 256 */
static inline FAST_INLINE size_t fast_sum_byte(uint64_t word)
{
	return (size_t)(word * FAST_EACH(1u) >> 56);
}

static FAST_NOINLINE size_t fast_count_tails(const uint8_t *s, size_t len)
{
	uint64_t tails, word;
	size_t sum = 0;
	size_t at = 0;
	size_t rest;

	if (len <= FAST_TINY_MAX)
		return fast_sum(fast_tails(fast_load_tiny(s, len)));
	while (len - at >= 16) {
		/*
		 * a step adds 2 to each byte at most, so 63 * 16 bytes cannot
		 * overflow
		 */
		size_t stop = at + fast_min((len - at) / 16 * 16, 1008);

		tails = 0;
		for (; at != stop; at += 16) {
			tails = fast_add_tails(tails, fast_load8(s + at));
			tails = fast_add_tails(tails, fast_load8(s + at + 8));
		}
		sum += fast_sum(tails);
	}
	/*
	 * of up to 15 bytes: a word if there is one, and the rest from the last
	 * word
	 */
	rest = len - at;
	word = fast_load8(s + at - fast_if_less(8, rest, 8));
	tails = fast_clear_if(fast_tails(word), rest < 8);
	rest %= 8u;
	word = fast_shift_down(fast_load8(s + (len - 8)), 8u - rest);
	return sum + fast_sum(fast_add_tails(tails, word));
}

/* Counting bytes that are not ASCII. */

/* adds a word's, byte by byte; each byte can count to 255 */
static inline FAST_INLINE uint64_t fast_add_high(uint64_t sum, const uint8_t *s)
{
	return sum + (fast_load8_any(s) >> 7 & FAST_EACH(1u));
}

/* How many of 8 or of 64 bytes are not ASCII? */

static inline FAST_INLINE size_t fast_high8(const uint8_t *s)
{
	return fast_sum_byte(fast_add_high(0, s));
}

static inline FAST_INLINE size_t fast_high64(const uint8_t *s)
{
	uint64_t high = fast_add_high(0, s);

	high = fast_add_high(high, s + 8);
	high = fast_add_high(high, s + 16);
	high = fast_add_high(high, s + 24);
	high = fast_add_high(high, s + 32);
	high = fast_add_high(high, s + 40);
	high = fast_add_high(high, s + 48);
	high = fast_add_high(high, s + 56);
	return fast_sum_byte(high);
}

/* How many of any number of bytes are not ASCII? */
static FAST_NOINLINE size_t fast_count_high(const uint8_t *s, size_t len)
{
	size_t high = 0;
	size_t at;

	for (at = 0; len - at >= 64u; at += 64)
		high += fast_high64(s + at);
	for (; len - at >= 8u; at += 8)
		high += fast_high8(s + at);
	for (; at != len; at++)
		high += s[at] >= 0x80u;
	return high;
}

#endif /* UTF8VAL_FAST_DFA_H */
