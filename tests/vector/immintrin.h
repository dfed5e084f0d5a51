/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Stands in for the compilers' header of that name. It has the intrinsics that
 * engine/vector.h calls, computed byte by byte as Intel's Software Developer's Manual
 * describes their instructions. So the engine's walk runs where the processor lacks
 * AVX-512 or AVX2, and sanitizers watch each byte that it reads.
 */
#ifndef UTF8VAL_TESTS_IMMINTRIN_H
#define UTF8VAL_TESTS_IMMINTRIN_H

#include <stdint.h>
#include <string.h>

#define UTF8VAL_VECTOR_STAND_IN
#define VECTOR_AVX512
#define VECTOR_AVX2
#define VECTOR_KEEP(vector) ((void)(vector))

typedef struct {
	uint8_t at[16];
} __m128i;

typedef struct {
	uint8_t at[32];
} __m256i;

typedef struct {
	uint8_t at[64];
} __m512i;

/* An intrinsic whose result is, in each byte i, this expression of its parameters. */
#define BYTES(type, name, parameters, expression) \
	static inline type name parameters \
	{ \
		type result; \
\
		for (unsigned int i = 0; i < sizeof(result); i++) \
			result.at[i] = (uint8_t)(expression); \
		return result; \
	}

/* Those that differ in nothing except the width. */
#define BOTH(bits, si) \
	BYTES(__m##bits##i, _mm##bits##_or_##si, (__m##bits##i a, __m##bits##i b), \
	      a.at[i] | b.at[i]) \
	BYTES(__m##bits##i, _mm##bits##_and_##si, (__m##bits##i a, __m##bits##i b), \
	      a.at[i] & b.at[i]) \
	BYTES(__m##bits##i, _mm##bits##_xor_##si, (__m##bits##i a, __m##bits##i b), \
	      a.at[i] ^ b.at[i]) \
	BYTES(__m##bits##i, _mm##bits##_set1_epi8, (char a), a)

BOTH(512, si512)
BOTH(256, si256)

BYTES(__m256i, _mm256_subs_epu8, (__m256i a, __m256i b),
	a.at[i] > b.at[i] ? a.at[i] - b.at[i] : 0)
/* shifts each pair of bytes, the lower one first */
BYTES(__m256i, _mm256_srli_epi16, (__m256i a, int by),
	(a.at[i & ~1u] | a.at[i | 1u] << 8) >> by >> 8 * (i & 1u))
/* looks up in the same sixteen bytes; the top bit stands for zero */
BYTES(__m256i, _mm256_shuffle_epi8, (__m256i a, __m256i b),
	b.at[i] & 0x80 ? 0 : a.at[(i & ~15u) + (b.at[i] & 15u)])
/* each sixteen bytes of b and then of a, from a place on */
BYTES(__m256i, _mm256_alignr_epi8, (__m256i a, __m256i b, unsigned int by),
	i % 16 + by < 16 ? b.at[i + by] : a.at[i + by - 16])
BYTES(__m512i, _mm512_andnot_si512, (__m512i a, __m512i b), ~a.at[i] & b.at[i])
BYTES(__m512i, _mm512_add_epi8, (__m512i a, __m512i b), a.at[i] + b.at[i])
BYTES(__m512i, _mm512_min_epu8, (__m512i a, __m512i b),
	a.at[i] < b.at[i] ? a.at[i] : b.at[i])
BYTES(__m512i, _mm512_max_epu8, (__m512i a, __m512i b),
	a.at[i] > b.at[i] ? a.at[i] : b.at[i])

/* The byte so many places below that one in its eight bytes of a, or in those of b. */
static inline unsigned int below(__m512i a, __m512i b, unsigned int i, unsigned int bytes)
{
	return i % 8 >= bytes ? a.at[i - bytes] : b.at[i + 8 - bytes];
}

/* shifts each eight bytes of a up by bits, and those of b in from below */
BYTES(__m512i, _mm512_shldi_epi64, (__m512i a, __m512i b, unsigned int by),
	(below(a, b, i, by / 8) << 8 | below(a, b, i, by / 8 + 1)) << by % 8 >> 8)
BYTES(__m128i, _mm_shuffle_epi8, (__m128i a, __m128i b),
	b.at[i] & 0x80 ? 0 : a.at[b.at[i] & 15])
BYTES(__m512i, _mm512_permutexvar_epi8, (__m512i at, __m512i a), a.at[at.at[i] & 63])
BYTES(__m256i, _mm256_broadcastsi128_si256, (__m128i a), a.at[i % 16])
BYTES(__m512i, _mm512_alignr_epi64, (__m512i a, __m512i b, unsigned int by),
	i + 8 * by < 64 ? b.at[i + 8 * by] : a.at[i + 8 * by - 64])
BYTES(__m256i, _mm256_castsi128_si256, (__m128i a), i < 16 ? a.at[i] : 0xAA)
BYTES(__m256i, _mm256_inserti128_si256, (__m256i a, __m128i b, unsigned int half),
	i / 16 == half ? b.at[i % 16] : a.at[i])
BYTES(__m256i, _mm256_cmpeq_epi8, (__m256i a, __m256i b), a.at[i] == b.at[i] ? 0xFF : 0)
BYTES(__m256i, _mm256_cmpgt_epi8, (__m256i a, __m256i b),
	(int8_t)a.at[i] > (int8_t)b.at[i] ? 0xFF : 0)
BYTES(__m512i, _mm512_maskz_loadu_epi8, (uint64_t mask, const void *from),
	mask >> i & 1 ? ((const uint8_t *)from)[i] : 0)

#undef BOTH
#undef BYTES

/* Half a vector of each of 0x21: the upper one of a, and the lower one of b. */
static inline __m256i _mm256_permute2x128_si256(__m256i a, __m256i b, int which)
{
	__m256i result;

	if (which != 0x21)
		__builtin_trap();
	memcpy(result.at, a.at + 16, 16);
	memcpy(result.at + 16, b.at, 16);
	return result;
}

static inline __m256i _mm256_set_epi64x(long long d, long long c, long long b,
					long long a)
{
	const uint64_t words[] = { (uint64_t)a, (uint64_t)b, (uint64_t)c, (uint64_t)d };
	__m256i result;

	memcpy(result.at, words, 32);
	return result;
}

static inline __m128i _mm_loadu_si128(const __m128i *from)
{
	__m128i result;

	memcpy(&result, from, 16);
	return result;
}

static inline __m256i _mm256_loadu_si256(const __m256i *from)
{
	__m256i result;

	memcpy(&result, from, 32);
	return result;
}

static inline __m512i _mm512_loadu_si512(const void *from)
{
	__m512i result;

	memcpy(&result, from, 64);
	return result;
}

/* A bit for each byte's highest bit. */
static inline uint64_t highest_bits(const uint8_t *bytes, unsigned int count)
{
	uint64_t mask = 0;

	for (unsigned int i = 0; i < count; i++)
		mask |= (uint64_t)(bytes[i] >> 7) << i;
	return mask;
}

static inline uint64_t _mm512_movepi8_mask(__m512i a)
{
	return highest_bits(a.at, 64);
}

static inline int _mm256_movemask_epi8(__m256i a)
{
	return (int)(uint32_t)highest_bits(a.at, 32);
}

static inline uint64_t _mm512_test_epi8_mask(__m512i a, __m512i b)
{
	uint64_t mask = 0;

	for (unsigned int i = 0; i < 64; i++)
		mask |= (uint64_t)((a.at[i] & b.at[i]) != 0) << i;
	return mask;
}

static inline unsigned char _kortestz_mask64_u8(uint64_t a, uint64_t b)
{
	return (a | b) == 0;
}

static inline uint64_t _mm512_cmplt_epi8_mask(__m512i a, __m512i b)
{
	uint64_t mask = 0;

	for (unsigned int i = 0; i < 64; i++)
		mask |= (uint64_t)((int8_t)a.at[i] < (int8_t)b.at[i]) << i;
	return mask;
}

static inline int _mm256_testz_si256(__m256i a, __m256i b)
{
	unsigned int both = 0;

	for (unsigned int i = 0; i < 32; i++)
		both |= a.at[i] & b.at[i];
	return both == 0;
}

#endif /* UTF8VAL_TESTS_IMMINTRIN_H */
