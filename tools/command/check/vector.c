// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A check by AVX2, 64 bytes at a time. The method is Keiser's and Lemire's
 * ("Validating UTF-8 in less than one instruction per byte", Software: Practice
 * and Experience 51(5), 2021). engine/mve.h uses the same method and the same
 * tables; tools/gen/mve_tables.py says why the tables are right.
 *
 * Whether the processor has AVX2 is asked at run time, so the compiler's
 * options stay those of any x86-64.
 */
#include "check/vector.h"

#include "utf8val.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <string.h>

#include "engine/mve_tables.h"
#include "engine/tables.h"

/* The fewest bytes that avx2_valid() takes. */
#define AVX2_LEAST 64
#define AVX2 __attribute__((target("avx2")))
/* The number of bytes before a byte on which the verdict about that byte depends. */
#define AVX2_BEFORE 3

static AVX2 __m256i avx2_load(const uint8_t *s)
{
	return _mm256_loadu_si256((const __m256i *)s);
}

static AVX2 __m256i avx2_all(unsigned int byte)
{
	return _mm256_set1_epi8((char)byte);
}

/* Look 32 numbers up to 15 up in one of the tables. */
static AVX2 __m256i avx2_look_up(const uint8_t *table, __m256i at)
{
	__m128i half = _mm_loadu_si128((const __m128i *)table);

	return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(half), at);
}

static AVX2 __m256i avx2_upper_half(__m256i bytes)
{
	return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), avx2_all(0x0F));
}

/* Check 32 bytes: the result is not 0 where a byte cannot follow the bytes before it. */
static AVX2 __m256i avx2_errors(const uint8_t *s)
{
	const uint8_t *tables = utf8val_mve_tables;
	__m256i one = avx2_load(s - 1);
	__m256i high = avx2_look_up(tables + UTF8VAL_MVE_HIGH, avx2_upper_half(one));
	__m256i low = avx2_look_up(tables + UTF8VAL_MVE_LOW,
				   _mm256_and_si256(one, avx2_all(0x0F)));
	__m256i next = avx2_look_up(tables + UTF8VAL_MVE_NEXT,
				    avx2_upper_half(avx2_load(s)));
	__m256i pair = _mm256_and_si256(_mm256_and_si256(high, low), next);
	/*
	 * The top bit is set where a lead byte two or three bytes before says
	 * that this byte is the third or the fourth of its sequence.
	 */
	__m256i third = _mm256_subs_epu8(avx2_load(s - 2),
					 avx2_all(UTF8VAL_LEAD_3 - 0x80u));
	__m256i fourth = _mm256_subs_epu8(avx2_load(s - 3),
					  avx2_all(UTF8VAL_LEAD_4 - 0x80u));
	__m256i due = _mm256_and_si256(_mm256_or_si256(third, fourth), avx2_all(0x80));

	return _mm256_xor_si256(due, pair);
}

/* Check 64 bytes, and add their errors to those of the bytes before. */
static AVX2 __m256i avx2_add(__m256i errors, const uint8_t *s)
{
	__m256i any = _mm256_or_si256(avx2_load(s), avx2_load(s + 32));

	/* ASCII has no errors, when no sequence before it is unfinished. */
	any = _mm256_or_si256(any, avx2_load(s - AVX2_BEFORE));
	if (_mm256_testz_si256(any, avx2_all(0x80)))
		return errors;
	errors = _mm256_or_si256(errors, avx2_errors(s));
	return _mm256_or_si256(errors, avx2_errors(s + 32));
}

/*
 * Check @len bytes, at most 64, with zeros where the text begins or ends: a
 * zero after an unfinished sequence is an error.
 */
static AVX2 __m256i avx2_add_edge(__m256i errors, const uint8_t *s,
					 size_t before, size_t len)
{
	uint8_t bytes[AVX2_BEFORE + 64] = { 0 };

	memcpy(bytes + AVX2_BEFORE - before, s - before, before + len);
	return avx2_add(errors, bytes + AVX2_BEFORE);
}

static AVX2 bool avx2_valid(const uint8_t *s, size_t len)
{
	__m256i errors = avx2_add_edge(_mm256_setzero_si256(), s, 0, 64);
	size_t at = 64;

	for (; len - at >= 64; at += 64)
		errors = avx2_add(errors, s + at);
	errors = avx2_add_edge(errors, s + at, AVX2_BEFORE, len - at);
	return _mm256_testz_si256(errors, errors);
}

#endif /* __x86_64__ */

bool vector_valid(const uint8_t *s, size_t len)
{
#ifdef __x86_64__
	if (len >= AVX2_LEAST && __builtin_cpu_supports("avx2"))
		return avx2_valid(s, len);
#endif
	return utf8val_valid(s, len);
}
