/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The fast engine's common parts: words, selects, steps of the shift DFA. */
#ifndef UTF8VAL_FAST_WALK_H
#define UTF8VAL_FAST_WALK_H

#include "utf8val.h"
#include "utf8val_fast_tables.h"

#define FAST_INLINE __attribute__((__always_inline__))
#define FAST_NOINLINE __attribute__((__noinline__))

#define FAST_ACCEPT UTF8VAL_FAST_ACCEPT
/* the highest bit of every byte: what ASCII has not */
#define FAST_HIGH 0x8080808080808080u
/* every byte of a word */
#define FAST_EACH(byte) (0x0101010101010101u * (byte))

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

/* in the machine's own byte order, where order doesn't matter */
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

/* 32 bytes: has any of them its highest bit set? */
static inline FAST_INLINE bool fast_ascii_32(const uint8_t *s)
{
	return !((fast_load8_any(s) | fast_load8_any(s + 8) |
		  fast_load8_any(s + 16) | fast_load8_any(s + 24)) & FAST_HIGH);
}

/* Selects, for a and b below half of SIZE_MAX: the sign says which is less. */

static inline FAST_INLINE size_t fast_all_if_less(size_t a, size_t b)
{
	return 0u - ((a - b) >> (8u * sizeof(size_t) - 1u));
}

static inline FAST_INLINE size_t fast_min(size_t a, size_t b)
{
	return b + ((a - b) & fast_all_if_less(a, b));
}

/* a - b, 0 when that would be negative */
static inline FAST_INLINE size_t fast_excess(size_t a, size_t b)
{
	return (a - b) & ~fast_all_if_less(a, b);
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

/* eight bytes from memory */
static inline FAST_INLINE uint32_t fast_walk(uint32_t state, const uint8_t *s)
{
	state = fast_step(state, s[0]);
	state = fast_step(state, s[1]);
	state = fast_step(state, s[2]);
	state = fast_step(state, s[3]);
	state = fast_step(state, s[4]);
	state = fast_step(state, s[5]);
	state = fast_step(state, s[6]);
	return fast_step(state, s[7]);
}

/* eight bytes in a register */
static inline FAST_INLINE uint32_t fast_walk_word(uint32_t state, uint64_t word)
{
	state = fast_step(state, (uint8_t)word);
	state = fast_step(state, (uint8_t)(word >> 8));
	state = fast_step(state, (uint8_t)(word >> 16));
	state = fast_step(state, (uint8_t)(word >> 24));
	state = fast_step(state, (uint8_t)(word >> 32));
	state = fast_step(state, (uint8_t)(word >> 40));
	state = fast_step(state, (uint8_t)(word >> 48));
	return fast_step(state, (uint8_t)(word >> 56));
}

/*
 * Blank out the tail bytes that a word begins with, three of them at most.
 * NUL is a character of its own: a walk passes it without leaving FAST_ACCEPT.
 */
static inline FAST_INLINE uint64_t fast_blank_tails(uint64_t word)
{
	/* bit 7 of the bytes that are no tails; the fourth counts as one */
	uint32_t low = (uint32_t)word;
	uint32_t stop = ((~low | low << 1) & 0x00808080u) | 0x80000000u;
	/* from the lowest bit of the first such byte on, all ones */
	uint64_t keep = 0u - (uint64_t)((stop & (0u - stop)) >> 7);

	return word & keep;
}

/* A walk that remembers where it was at a boundary last. */
struct fast_trace {
	uint32_t state;
	size_t at;		/* bytes walked */
	size_t boundary;	/* of them, those before the last boundary */
};

static inline FAST_INLINE void fast_trace_byte(struct fast_trace *trace,
					       uint64_t byte)
{
	trace->state = fast_step(trace->state, (uint8_t)byte);
	trace->at++;
	trace->boundary = fast_accepted(trace->state) ? trace->at :
							trace->boundary;
}

static inline FAST_INLINE void fast_trace_word(struct fast_trace *trace,
					       uint64_t word)
{
	fast_trace_byte(trace, word);
	fast_trace_byte(trace, word >> 8);
	fast_trace_byte(trace, word >> 16);
	fast_trace_byte(trace, word >> 24);
	fast_trace_byte(trace, word >> 32);
	fast_trace_byte(trace, word >> 40);
	fast_trace_byte(trace, word >> 48);
	fast_trace_byte(trace, word >> 56);
}

/* The last boundary that a walk over two words meets: the bytes before it. */
static FAST_NOINLINE size_t fast_last_boundary(uint64_t first, uint64_t second)
{
	struct fast_trace trace = { FAST_ACCEPT, 0, 0 };

	fast_trace_word(&trace, first);
	fast_trace_word(&trace, second);
	return trace.boundary;
}

#endif /* UTF8VAL_FAST_WALK_H */
