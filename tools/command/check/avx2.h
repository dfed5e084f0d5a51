/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A check by AVX2, 64 bytes at a time. The method is Keiser's and Lemire's
 * ("Validating UTF-8 in less than one instruction per byte", Software: Practice
 * and Experience 51(5), 2021); engine/mve.h does the same with the same tables,
 * see tools/gen/mve_tables.py for why they are right.
 *
 * Whether the processor has AVX2 is asked at run time, so the compiler's options
 * stay those of any x86-64.
 */
#ifndef UTF8VAL_CHECK_AVX2_H
#define UTF8VAL_CHECK_AVX2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* fewer bytes than this are not for avx2_valid() */
#define AVX2_LEAST 64

#ifdef __x86_64__

#include <immintrin.h>
#include <string.h>

#include "engine/mve_tables.h"
#include "engine/tables.h"

#define AVX2 __attribute__((target("avx2")))
/* bytes that a byte's verdict depends on, before it */
#define AVX2_BEFORE 3

static inline bool avx2_usable(void)
{
	return __builtin_cpu_supports("avx2");
}

static inline AVX2 __m256i avx2_load(const uint8_t *s)
{
	return _mm256_loadu_si256((const __m256i *)s);
}

static inline AVX2 __m256i avx2_all(unsigned int byte)
{
	return _mm256_set1_epi8((char)byte);
}

/* One of the tables, asked by numbers up to 15. */
static inline AVX2 __m256i avx2_look_up(const uint8_t *table, __m256i at)
{
	__m128i half = _mm_loadu_si128((const __m128i *)table);

	return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(half), at);
}

static inline AVX2 __m256i avx2_upper_half(__m256i bytes)
{
	return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), avx2_all(0x0F));
}

/* Not 0 where one of 32 bytes cannot follow those before it. */
static inline AVX2 __m256i avx2_errors(const uint8_t *s)
{
	const uint8_t *tables = utf8val_mve_tables;
	__m256i one = avx2_load(s - 1);
	__m256i high = avx2_look_up(tables + UTF8VAL_MVE_HIGH,
				    avx2_upper_half(one));
	__m256i low = avx2_look_up(tables + UTF8VAL_MVE_LOW,
				   _mm256_and_si256(one, avx2_all(0x0F)));
	__m256i next = avx2_look_up(tables + UTF8VAL_MVE_NEXT,
				    avx2_upper_half(avx2_load(s)));
	__m256i pair = _mm256_and_si256(_mm256_and_si256(high, low), next);
	/* the top bit: a lead says that this is its third byte, or its fourth */
	__m256i third = _mm256_subs_epu8(avx2_load(s - 2),
					 avx2_all(UTF8VAL_LEAD_3 - 0x80u));
	__m256i fourth = _mm256_subs_epu8(avx2_load(s - 3),
					  avx2_all(UTF8VAL_LEAD_4 - 0x80u));
	__m256i due = _mm256_and_si256(_mm256_or_si256(third, fourth),
				       avx2_all(0x80));

	return _mm256_xor_si256(due, pair);
}

/* The same of 64 bytes, added to those of before. */
static inline AVX2 __m256i avx2_add(__m256i errors, const uint8_t *s)
{
	__m256i any = _mm256_or_si256(avx2_load(s), avx2_load(s + 32));

	/* ASCII, and nothing left unfinished before it */
	any = _mm256_or_si256(any, avx2_load(s - AVX2_BEFORE));
	if (_mm256_testz_si256(any, avx2_all(0x80)))
		return errors;
	errors = _mm256_or_si256(errors, avx2_errors(s));
	return _mm256_or_si256(errors, avx2_errors(s + 32));
}

/*
 * The same of @len bytes, 64 at most, with zeros where text begins or ends: a zero
 * is an error after an unfinished character.
 */
static inline AVX2 __m256i avx2_add_edge(__m256i errors, const uint8_t *s,
					 size_t before, size_t len)
{
	uint8_t bytes[AVX2_BEFORE + 64] = { 0 };

	memcpy(bytes + AVX2_BEFORE - before, s - before, before + len);
	return avx2_add(errors, bytes + AVX2_BEFORE);
}

static inline AVX2 bool avx2_valid(const uint8_t *s, size_t len)
{
	__m256i errors = avx2_add_edge(_mm256_setzero_si256(), s, 0, 64);
	size_t at = 64;

	for (; len - at >= 64; at += 64)
		errors = avx2_add(errors, s + at);
	errors = avx2_add_edge(errors, s + at, AVX2_BEFORE, len - at);
	return _mm256_testz_si256(errors, errors);
}

#undef AVX2

#else

static inline bool avx2_usable(void)
{
	return false;
}

static inline bool avx2_valid(const uint8_t *s, size_t len)
{
	(void)s;
	(void)len;
	return false;
}

#endif /* __x86_64__ */

#endif /* UTF8VAL_CHECK_AVX2_H */
