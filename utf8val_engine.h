/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Which engine looks for the end of the well-formed prefix: chosen at build
 * time by defining one of these to 1; without, the fast one where pointers have 64
 * bits, as in kernels and hosts, and the compact one elsewhere.
 *
 *   UTF8VAL_ENGINE_COMPACT   a byte at a time; flash counts
 *   UTF8VAL_ENGINE_WORD      aligned words of ASCII, and unaligned loads of one
 *                            character where the compiler may use them
 *                            (Cortex-M3 and up; -mno-unaligned-access forbids)
 *   UTF8VAL_ENGINE_FAST      words of 64 bits and a table of 1 KiB; time counts
 *                            (Cortex-M0's 64-bit shifts take libgcc)
 *
 * All are right in the same way; only size and speed differ.
 */
#ifndef UTF8VAL_ENGINE_H
#define UTF8VAL_ENGINE_H

#include "utf8val.h"
#include "utf8val_tables.h"

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

#if (defined(UTF8VAL_ENGINE_FAST) && UTF8VAL_ENGINE_FAST) || \
	(defined(__LP64__) && !defined(UTF8VAL_ENGINE_FAST) && \
	 !defined(UTF8VAL_ENGINE_COMPACT) && !defined(UTF8VAL_ENGINE_WORD))
#include "utf8val_fast.h"
#else

#if defined(UTF8VAL_ENGINE_WORD) && UTF8VAL_ENGINE_WORD
#include "utf8val_word.h"
#else
static inline __attribute__((__always_inline__)) size_t
utf8val_engine_prefix(const uint8_t *s, size_t len)
{
	return utf8val_compact_walk(s, len, 0);
}
#endif

static inline bool utf8val_engine_valid(const uint8_t *s, size_t len)
{
	/* the function itself: one copy of the walk is enough */
	return utf8val_prefix(s, len) == len;
}

static inline struct utf8val_result utf8val_engine_check(const uint8_t *s,
							 size_t len)
{
	/* no initialiser: unoptimised, compilers call memset() for it */
	struct utf8val_result result;

	result.valid = utf8val_prefix(s, len);
	result.bad = 0;
	result.reason = UTF8VAL_OK;
	if (result.valid != len) {
		const uint8_t *bad = s + result.valid;
		const uint8_t *pos = bad;

		result.reason = (uint8_t)-utf8val_next(&pos, s + len);
		result.bad = (uint8_t)(pos - bad);
	}
	return result;
}

/* What has no short cut before it needs no function of its own. */
#define UTF8VAL_ENGINE_APART

/* Input as short as a name: not told apart here. */
static inline bool utf8val_engine_ascii(const uint8_t *s, size_t len)
{
	(void)s;
	(void)len;
	return false;
}

static inline bool utf8val_engine_name(const uint8_t *s, size_t len)
{
	(void)s;
	(void)len;
	return false;
}

static inline size_t utf8val_engine_units(const uint8_t *s, size_t len)
{
	(void)s;
	(void)len;
	return 0;
}

static inline void utf8val_engine_copy_name(uint8_t *d, const uint8_t *s,
					    size_t len)
{
	(void)d;
	(void)s;
	(void)len;
}

/*
 * Characters that the engine takes at once where a caller goes from unit to
 * unit: none here, as going twice over them would cost time and flash.
 */
static inline size_t utf8val_engine_count(const uint8_t *s, size_t len,
					  size_t *units)
{
	(void)s;
	(void)len;
	(void)units;
	return 0;
}

static inline size_t utf8val_engine_text(const uint8_t *s, size_t len,
					 size_t room)
{
	(void)s;
	(void)len;
	(void)room;
	return 0;
}

/* Copy one unit, of four bytes at most: no text is found here. */
static inline void utf8val_engine_copy(uint8_t *d, const uint8_t *s,
				       size_t len)
{
	size_t i;

	/*@ loop invariant 0 <= i <= len;
	    loop invariant \forall integer p; 0 <= p < i ==>
	      d[p] == \at(s[p], Pre);
	    loop assigns i, d[0 .. len - 1]; loop variant len - i; */
	for (i = 0; i < len; i++)
		d[i] = s[i];
}

#endif

#endif /* UTF8VAL_ENGINE_H */
