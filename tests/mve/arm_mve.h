/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Stands in for Arm's header of that name. It has the intrinsics that
 * engine/mve.h calls, computed byte by byte as the Armv8-M Architecture
 * Reference Manual describes their instructions. So the engine runs on a host,
 * where more can be tried than under emulation, and where sanitizers watch.
 */
#ifndef UTF8VAL_TESTS_ARM_MVE_H
#define UTF8VAL_TESTS_ARM_MVE_H

#include <stdint.h>

typedef struct {
	uint8_t at[16];
} uint8x16_t;

/* An intrinsic whose result is, in each lane i, this expression of its parameters. */
#define LANES(name, parameters, expression) \
	static inline uint8x16_t name parameters \
	{ \
		uint8x16_t result; \
\
		for (unsigned int i = 0; i < 16; i++) \
			result.at[i] = (uint8_t)(expression); \
		return result; \
	}

LANES(vldrbq_u8, (const uint8_t *base), base[i])
LANES(vldrbq_gather_offset_u8, (const uint8_t *base, uint8x16_t offset),
	base[offset.at[i]])
LANES(vdupq_n_u8, (uint8_t a), a)
LANES(vshrq_n_u8, (uint8x16_t a, int bits), a.at[i] >> bits)
LANES(vandq_u8, (uint8x16_t a, uint8x16_t b), a.at[i] & b.at[i])
LANES(vorrq_u8, (uint8x16_t a, uint8x16_t b), a.at[i] | b.at[i])
LANES(veorq_u8, (uint8x16_t a, uint8x16_t b), a.at[i] ^ b.at[i])
LANES(vqsubq_n_u8, (uint8x16_t a, uint8_t b), a.at[i] > b ? a.at[i] - b : 0)
LANES(shifted, (uint8x16_t a, uint32_t in, unsigned int bytes),
	i < bytes ? in >> 8 * i : a.at[i - bytes])

#undef LANES

/*
 * The vector is one number, with the first byte as the lowest; bits are shifted
 * in from *carry.
 */
static inline uint8x16_t vshlcq_u8(uint8x16_t a, uint32_t *carry, int bits)
{
	unsigned int bytes = (unsigned int)bits / 8;
	uint8x16_t result = shifted(a, *carry, bytes);

	for (*carry = 0; bytes; bytes--)
		*carry = *carry << 8 | a.at[16 - bytes];
	return result;
}

static inline uint8_t vmaxvq_u8(uint8_t a, uint8x16_t b)
{
	for (unsigned int i = 0; i < 16; i++)
		if (b.at[i] > a)
			a = b.at[i];
	return a;
}

#endif /* UTF8VAL_TESTS_ARM_MVE_H */
