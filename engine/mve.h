/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The MVE engine, for the vector unit of Cortex-M (Helium). It skips well-formed text,
 * sixteen bytes at a time, and stops at the first block that is not. From there the
 * compact engine decides. The method is Keiser's and Lemire's, see
 * tools/gen/mve_tables.py. engine.h includes this file.
 *
 * All loads count as loads of single bytes as far as alignment goes, so
 * CCR.UNALIGN_TRP does not trap them.
 */
#ifndef UTF8VAL_MVE_H
#define UTF8VAL_MVE_H

#ifndef __ARM_FEATURE_MVE
#error "the MVE engine needs a vector unit, such as -mcpu=cortex-m55 -mfloat-abi=hard or softfp"
#elif defined(__ARM_BIG_ENDIAN)
#error "the MVE engine needs a little-endian machine; the compact one does not"
#endif

#include <arm_mve.h>

#include "mve_tables.h"

#define UTF8VAL_BLOCK 16u

/*
 * Sixteen bytes, and the bytes one, two and three places before each of them.
 */
struct utf8val_block {
	uint8x16_t now, one, two, three;
};

/* The input's first block: zeros stand for the bytes before @s. */
static inline void utf8val_first_block(struct utf8val_block *block,
				       const uint8_t *s)
{
	uint32_t zeros = 0;

	block->now = vldrbq_u8(s);
	block->one = vshlcq_u8(block->now, &zeros, 8);
	zeros = 0;
	block->two = vshlcq_u8(block->now, &zeros, 16);
	zeros = 0;
	block->three = vshlcq_u8(block->now, &zeros, 24);
}

/* A later block: the three bytes before @s belong to the input, too. */
static inline void utf8val_next_block(struct utf8val_block *block,
				      const uint8_t *s)
{
	block->now = vldrbq_u8(s);
	block->one = vldrbq_u8(s - 1);
	block->two = vldrbq_u8(s - 2);
	block->three = vldrbq_u8(s - 3);
}

static inline bool utf8val_all_ascii(uint8x16_t bytes)
{
	return vmaxvq_u8(0, bytes) < 0x80u;
}

static inline uint8x16_t utf8val_look_up(uint32_t table, uint8x16_t at)
{
	return vldrbq_gather_offset_u8(utf8val_mve_tables + table, at);
}

/*
 * Can each byte of a block follow the bytes before it? The tables are explained
 * in engine/mve_tables.h.
 */
static inline bool utf8val_block_fits(const struct utf8val_block *block)
{
	uint8x16_t high = vshrq_n_u8(block->one, 4);
	uint8x16_t low = vandq_u8(block->one, vdupq_n_u8(0x0F));
	uint8x16_t next = vshrq_n_u8(block->now, 4);
	uint8x16_t due, pair;

	high = utf8val_look_up(UTF8VAL_MVE_HIGH, high);
	low = utf8val_look_up(UTF8VAL_MVE_LOW, low);
	next = utf8val_look_up(UTF8VAL_MVE_NEXT, next);
	pair = vandq_u8(vandq_u8(high, low), next);
	/*
	 * the top bit: a lead says that this byte is its third, or its fourth
	 */
	due = vorrq_u8(vqsubq_n_u8(block->two, UTF8VAL_LEAD_3 - 0x80u),
		       vqsubq_n_u8(block->three, UTF8VAL_LEAD_4 - 0x80u));
	due = vandq_u8(due, vdupq_n_u8(0x80));
	return vmaxvq_u8(0, veorq_u8(due, pair)) == 0u;
}

/* Skip ASCII from @at on, two blocks at a time. */
static inline size_t utf8val_pass_ascii(const uint8_t *s, size_t len, size_t at)
{
	while (len - at >= 2u * UTF8VAL_BLOCK &&
	       utf8val_all_ascii(vorrq_u8(vldrbq_u8(s + at),
					  vldrbq_u8(s + at + UTF8VAL_BLOCK))))
		at += 2u * UTF8VAL_BLOCK;
	return at;
}

/*
 * How many of @len bytes, at least 16, are well-formed, apart from a sequence that the
 * last of them may begin. The first byte of that sequence is the last byte passed that
 * is no tail.
 */
static inline size_t utf8val_pass_blocks(const uint8_t *s, size_t len)
{
	struct utf8val_block block;
	size_t at = 0;

	utf8val_first_block(&block, s);
	for (;;) {
		if (utf8val_all_ascii(vorrq_u8(block.now, block.three)))
			at = utf8val_pass_ascii(s, len, at + UTF8VAL_BLOCK);
		else if (utf8val_block_fits(&block))
			at += UTF8VAL_BLOCK;
		else
			return at;
		if (len - at < UTF8VAL_BLOCK) {
			/*
			 * the input's last sixteen bytes, some of which are
			 * looked at again
			 */
			if (at == len || len < UTF8VAL_BLOCK + 3u)
				return at;
			at = len - UTF8VAL_BLOCK;
		}
		utf8val_next_block(&block, s + at);
	}
}

static inline UTF8VAL_ENGINE_INLINE size_t
utf8val_engine_prefix(const uint8_t *s, size_t len)
{
	size_t at = 0;

	if (len >= UTF8VAL_BLOCK)
		at = utf8val_pass_blocks(s, len);
	/* back to where the last sequence begins */
	while (at != 0u) {
		at--;
		if (s[at] - 0x80u >= 0x40u)
			break;
	}
	return utf8val_compact_walk(s, len, at);
}

#endif /* UTF8VAL_MVE_H */
