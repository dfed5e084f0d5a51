/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The vector engine, for hosts: AVX-512 or AVX2 on x86-64, NEON on arm64. For AVX2 and
 * NEON, the method is Keiser's and Lemire's, with the tables of the MVE engine. Source:
 * "Validating UTF-8 in less than one instruction per byte", Software: Practice and
 * Experience 51(5), 2021. For AVX-512, tables of 64 bytes take fewer instructions.
 * tools/gen/mve_tables.py and vector_tables.py prove that the tables are right. engine.h
 * includes this file.
 *
 * The vectors also find the first byte that cannot follow the bytes before it. The
 * fast engine does all where the processor has no such vectors.
 *
 * On x86-64 the processor is asked at run time, unless the compiler's options say that it
 * has AVX-512. AVX-512 is used only together with VBMI and VBMI2, which look up 64 bytes
 * at once and shift bits from one word into the next. Processors without them slow down
 * under such long vectors. No load reaches outside the input: with AVX-512 a mask keeps
 * the last load inside, and other vectors are put together from words.
 *
 *	vector_nibbles.h	errors by tables of sixteen bytes, for AVX2 and NEON
 *	vector_walk.h		the walk, included once for each kind of vector
 */
#ifndef UTF8VAL_VECTOR_H
#define UTF8VAL_VECTOR_H

/* engine.h includes fast.h before */

#include "mve_tables.h"
#include "tables.h"
#include "vector_tables.h"

#define VECTOR_PASTE(name, kind) utf8val_vector_##name##_##kind
/* the tables and what else stays the same, for one kind of vector */
#define VECTOR_SAME struct VECTOR(same)

/*
 * The last boundary up to @at. s[@at] is the first byte that cannot follow the bytes
 * before it, or is past the end of input that ends within a sequence. The sequence
 * before @at has fewer tails than its lead asks for, or it is complete. No branch,
 * because nothing predicts where an error is.
 */
static inline FAST_INLINE size_t vector_boundary(const uint8_t *s, size_t at)
{
	/* a byte before the first one reads as the first one, which counts once */
	uint32_t first = s[fast_sub_sat(at, 1)];
	uint32_t second = s[fast_sub_sat(at, 2)];
	uint32_t third = s[fast_sub_sat(at, 3)];
	uint32_t back = fast_select(third >= UTF8VAL_LEAD_4, 3, 0);

	back = fast_select(second >= UTF8VAL_LEAD_3, 2, back);
	/* C0 and C1, which are no leads, are found by the byte after them */
	back = fast_select(first >= 0xC0u, 1, back);
	return at - back;
}

/* Does a sequence that is not complete end before @pos, which has three bytes before? */
static inline FAST_INLINE bool vector_is_cut(const uint8_t *pos)
{
	return pos[-1] >= 0x80u &&
	       (pos[-1] >= 0xC0u || pos[-2] >= UTF8VAL_LEAD_3 ||
		pos[-3] >= UTF8VAL_LEAD_4);
}

/* Up to 15 bytes as two words, with zeros after them. */
static inline FAST_INLINE void vector_words(const uint8_t *s, size_t len,
					    uint64_t words[2])
{
	if (len < 8u) {
		words[0] = fast_load_tiny(s, len);
		words[1] = 0;
		return;
	}
	words[0] = fast_load8(s);
	words[1] = fast_shift_down(fast_load8(s + (len - 8u)), 16u - len);
}

#if defined(__x86_64__)

#include <immintrin.h>

/*
 * A stand-in for the compiler's header, with which the tests run where the
 * processor lacks the instructions, defines these.
 */
#ifndef UTF8VAL_VECTOR_STAND_IN
#define VECTOR_AVX512 \
	__attribute__((__target__("avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")))
#define VECTOR_AVX2 __attribute__((__target__("avx2,popcnt")))
/* GCC would make a constant again in each iteration, so it must not know the value. */
#define VECTOR_KEEP(vector) __asm__("" : "+v"(vector))
#endif
/* Tests define these to 0, as if the processor did not have the instructions. */
#ifndef UTF8VAL_HAS_AVX512
#if defined(__AVX512VBMI__) && defined(__AVX512VBMI2__)
#define UTF8VAL_HAS_AVX512 1
#else
#define UTF8VAL_HAS_AVX512 \
	(__builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2"))
#endif
#endif
#ifndef UTF8VAL_HAS_AVX2
#ifdef __AVX2__
#define UTF8VAL_HAS_AVX2 1
#else
#define UTF8VAL_HAS_AVX2 __builtin_cpu_supports("avx2")
#endif
#endif

#define VECTOR(name) VECTOR_PASTE(name, avx512)
#define VECTOR_TARGET VECTOR_AVX512
#define VECTOR_SIZE 64u
#define VECTOR_COUNT 4u
#define VECTOR_TYPE __m512i
#define VECTOR_ERRORS struct VECTOR(errors)
#define VECTOR_WORDS 0

static inline VECTOR_TARGET __m512i VECTOR(load)(const uint8_t *s)
{
	return _mm512_loadu_si512(s);
}

/* Up to 63 bytes, with zeros after them; what the mask leaves out is not read. */
static inline VECTOR_TARGET __m512i VECTOR(part)(const uint8_t *s, size_t len)
{
	return _mm512_maskz_loadu_epi8(((uint64_t)1 << len) - 1u, s);
}

static inline VECTOR_TARGET __m512i VECTOR(all)(unsigned int byte)
{
	return _mm512_set1_epi8((char)byte);
}

static inline VECTOR_TARGET __m512i VECTOR(or)(__m512i a, __m512i b)
{
	return _mm512_or_si512(a, b);
}

static inline VECTOR_TARGET bool VECTOR(high)(__m512i bytes)
{
	return _mm512_movepi8_mask(bytes) != 0;
}

/* The tables and what else stays the same, which loops keep in registers. */
struct VECTOR(same) {
	__m512i leads;
	__m512i tails;
	__m512i below;
	__m512i last;
};

static inline VECTOR_TARGET FAST_INLINE VECTOR_SAME VECTOR(same)(void)
{
	VECTOR_SAME same;

	same.leads = VECTOR(load)(utf8val_vector_leads);
	same.tails = VECTOR(load)(utf8val_vector_tails);
	same.below = VECTOR(all)(0xBF);
	same.last = VECTOR(all)(0xFE);
	return same;
}

static inline VECTOR_TARGET FAST_INLINE void VECTOR(keep)(VECTOR_SAME *same)
{
	VECTOR_KEEP(same->leads);
	VECTOR_KEEP(same->tails);
	VECTOR_KEEP(same->below);
	VECTOR_KEEP(same->last);
}

/* For each lead, the bits that say which bytes must follow it; 0 for other bytes. */
static inline VECTOR_TARGET FAST_INLINE __m512i
VECTOR(leads)(const VECTOR_SAME *same, __m512i bytes)
{
	/* the last place of the table, 0, is that of the bytes below, so FF takes FE's */
	__m512i at = _mm512_max_epu8(_mm512_min_epu8(bytes, same->last), same->below);

	return _mm512_permutexvar_epi8(at, same->leads);
}

/* The words of eight bytes one place before those of @now, of which shifts take bytes. */
static inline VECTOR_TARGET FAST_INLINE __m512i VECTOR(words_before)(__m512i now,
								     __m512i before)
{
	return _mm512_alignr_epi64(now, before, 7);
}

/* Bytes that cannot follow those before them, of one vector or of several together. */
struct VECTOR(errors) {
	/* the top bit: a tail and none is due, or the reverse */
	__m512i shape;
	/* not 0: a tail that cannot follow its lead */
	__m512i pair;
};

/*
 * Add the errors of @now. The top bits of @is_tail say which bytes are tails. Those of
 * @one, @two and @three say that a tail is due, by the leads one, two and three places
 * before.
 */
static inline VECTOR_TARGET FAST_INLINE void
VECTOR(add)(const VECTOR_SAME *same, __m512i now, __m512i is_tail, __m512i one,
	    __m512i two, __m512i three, VECTOR_ERRORS *errors)
{
	__m512i due = _mm512_or_si512(two, three);
	__m512i shape = _mm512_xor_si512(_mm512_xor_si512(is_tail, one), due);
	__m512i pair = _mm512_and_si512(one, _mm512_permutexvar_epi8(now, same->tails));

	errors->shape = _mm512_or_si512(errors->shape, shape);
	errors->pair = _mm512_or_si512(errors->pair, pair);
}

static inline VECTOR_TARGET FAST_INLINE VECTOR_ERRORS
VECTOR(errors_after)(const VECTOR_SAME *same, __m512i now, __m512i before)
{
	VECTOR_ERRORS errors = { VECTOR(all)(0), VECTOR(all)(0) };
	__m512i leads = VECTOR(leads)(same, now);
	__m512i words = VECTOR(words_before)(leads, before);

	/* a tail is not ASCII and not a lead; the bits after the top one move into it */
	VECTOR(add)(same, now, _mm512_xor_si512(now, leads),
		    _mm512_shldi_epi64(leads, words, 8),
		    _mm512_shldi_epi64(leads, words, 16 + 1),
		    _mm512_shldi_epi64(leads, words, 24 + 2), &errors);
	return errors;
}

/* The errors of a vector that follows another one. */
static inline VECTOR_TARGET FAST_INLINE VECTOR_ERRORS
VECTOR(errors)(const VECTOR_SAME *same, __m512i now, __m512i before)
{
	return VECTOR(errors_after)(same, now, VECTOR(leads)(same, before));
}

/* The errors of the input's first vector. */
static inline VECTOR_TARGET FAST_INLINE VECTOR_ERRORS
VECTOR(errors_first)(const VECTOR_SAME *same, __m512i now)
{
	return VECTOR(errors_after)(same, now, VECTOR(all)(0));
}

static inline VECTOR_TARGET FAST_INLINE VECTOR_ERRORS
VECTOR(errors_at)(const VECTOR_SAME *same, const uint8_t *s)
{
	return VECTOR(errors)(same, VECTOR(load)(s), VECTOR(load)(s - VECTOR_SIZE));
}

static inline VECTOR_TARGET bool VECTOR(any)(VECTOR_ERRORS errors)
{
	return !_kortestz_mask64_u8(_mm512_movepi8_mask(errors.shape),
				    _mm512_test_epi8_mask(errors.pair, errors.pair));
}

static inline VECTOR_TARGET size_t VECTOR(first)(VECTOR_ERRORS errors)
{
	uint64_t shape = _mm512_movepi8_mask(errors.shape);

	return (size_t)__builtin_ctzll(shape | _mm512_test_epi8_mask(errors.pair,
								     errors.pair));
}

/* The leads that the block after @now takes as those one place before it. */
static inline VECTOR_TARGET FAST_INLINE __m512i
VECTOR(before_block)(const VECTOR_SAME *same, __m512i now)
{
	__m512i leads = VECTOR(leads)(same, now);

	/* only the last word is used */
	return _mm512_shldi_epi64(leads, VECTOR(words_before)(leads, leads), 8);
}

/* Add the errors of the vector at @s, and return the leads one place before it. */
static inline VECTOR_TARGET FAST_INLINE __m512i
VECTOR(add_at)(const VECTOR_SAME *same, const uint8_t *s, __m512i before,
	       VECTOR_ERRORS *errors)
{
	__m512i now = VECTOR(load)(s);
	__m512i one = VECTOR(leads)(same, VECTOR(load)(s - 1));
	__m512i words = VECTOR(words_before)(one, before);
	/* a tail has the top bit, and not the one below it */
	__m512i is_tail = _mm512_andnot_si512(_mm512_add_epi8(now, now), now);

	VECTOR(add)(same, now, is_tail, one, _mm512_shldi_epi64(one, words, 8 + 1),
		    _mm512_shldi_epi64(one, words, 16 + 2), errors);
	return one;
}

/* Does a block have an error? @before becomes what the next block takes. */
static inline VECTOR_TARGET FAST_INLINE bool
VECTOR(is_bad)(const VECTOR_SAME *same, const uint8_t *s, __m512i *before)
{
	VECTOR_ERRORS errors = { VECTOR(all)(0), VECTOR(all)(0) };
	__m512i one = *before;

	one = VECTOR(add_at)(same, s, one, &errors);
	one = VECTOR(add_at)(same, s + VECTOR_SIZE, one, &errors);
	one = VECTOR(add_at)(same, s + 2u * VECTOR_SIZE, one, &errors);
	*before = VECTOR(add_at)(same, s + 3u * VECTOR_SIZE, one, &errors);
	return VECTOR(any)(errors);
}

static inline VECTOR_TARGET size_t VECTOR(tails)(__m512i bytes)
{
	uint64_t mask = _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(-0x40));

	return (size_t)__builtin_popcountll(mask);
}

#include "vector_walk.h"

#define VECTOR(name) VECTOR_PASTE(name, avx2)
#define VECTOR_TARGET VECTOR_AVX2
#define VECTOR_SIZE 32u
#define VECTOR_COUNT 2u
#define VECTOR_TYPE __m256i
#define VECTOR_ERRORS __m256i
#define VECTOR_WORDS 1
#define VECTOR_LOADS 1

static inline VECTOR_TARGET __m256i VECTOR(load)(const uint8_t *s)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)s);
}

/* Up to 31 bytes, with zeros after them. */
static inline VECTOR_TARGET __m256i VECTOR(part)(const uint8_t *s, size_t len)
{
	/* shuffles bytes down by the place at which it is loaded */
	static const uint8_t down[32] = {
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
		0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80
	};
	uint64_t words[2];

	if (len >= 16u) {
		const void *first = s;
		const void *last = s + (len - 16u);
		const void *shuffle = down + (32u - len);
		__m128i low = _mm_loadu_si128((const __m128i *)first);
		__m128i rest = _mm_loadu_si128((const __m128i *)last);
		__m128i by = _mm_loadu_si128((const __m128i *)shuffle);

		rest = _mm_shuffle_epi8(rest, by);
		return _mm256_inserti128_si256(_mm256_castsi128_si256(low),
					       rest, 1);
	}
	vector_words(s, len, words);
	return _mm256_set_epi64x(0, 0, (long long)words[1], (long long)words[0]);
}

static inline VECTOR_TARGET __m256i VECTOR(all)(unsigned int byte)
{
	return _mm256_set1_epi8((char)byte);
}

static inline VECTOR_TARGET __m256i VECTOR(or)(__m256i a, __m256i b)
{
	return _mm256_or_si256(a, b);
}

static inline VECTOR_TARGET __m256i VECTOR(and)(__m256i a, __m256i b)
{
	return _mm256_and_si256(a, b);
}

static inline VECTOR_TARGET __m256i VECTOR(xor)(__m256i a, __m256i b)
{
	return _mm256_xor_si256(a, b);
}

static inline VECTOR_TARGET __m256i VECTOR(less)(__m256i a, __m256i b)
{
	return _mm256_subs_epu8(a, b);
}

static inline VECTOR_TARGET __m256i VECTOR(lower)(__m256i bytes, __m256i half)
{
	return _mm256_and_si256(bytes, half);
}

static inline VECTOR_TARGET __m256i VECTOR(upper)(__m256i bytes, __m256i half)
{
	return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half);
}

static inline VECTOR_TARGET __m256i VECTOR(table)(const void *from)
{
	return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from));
}

static inline VECTOR_TARGET __m256i VECTOR(look_up)(__m256i table, __m256i at)
{
	return _mm256_shuffle_epi8(table, at);
}

static inline VECTOR_TARGET bool VECTOR(any)(__m256i bytes)
{
	return !_mm256_testz_si256(bytes, bytes);
}

static inline VECTOR_TARGET size_t VECTOR(first)(__m256i bytes)
{
	__m256i zeros = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(0));

	return (size_t)__builtin_ctz(~(unsigned int)_mm256_movemask_epi8(zeros));
}

static inline VECTOR_TARGET bool VECTOR(high)(__m256i bytes)
{
	return _mm256_movemask_epi8(bytes) != 0;
}

/* The bytes @by places before those of @now; @by is a constant. */
static inline VECTOR_TARGET FAST_INLINE __m256i VECTOR(before)(__m256i now,
							       __m256i before,
							       int by)
{
	/* the lanes of sixteen bytes, one place up */
	__m256i lanes = _mm256_permute2x128_si256(before, now, 0x21);

	return by == 1 ? _mm256_alignr_epi8(now, lanes, 15) :
	       by == 2 ? _mm256_alignr_epi8(now, lanes, 14) :
			 _mm256_alignr_epi8(now, lanes, 13);
}

static inline VECTOR_TARGET size_t VECTOR(tails)(__m256i bytes)
{
	__m256i tails = _mm256_cmpgt_epi8(_mm256_set1_epi8(-0x40), bytes);

	return (size_t)__builtin_popcount((unsigned int)
					  _mm256_movemask_epi8(tails));
}

#include "vector_nibbles.h"
#include "vector_walk.h"

#define VECTOR_CHOICE(name, fast, ...)						\
	(UTF8VAL_HAS_AVX512 ? VECTOR_PASTE(name, avx512)(__VA_ARGS__) :		\
	 UTF8VAL_HAS_AVX2 ? VECTOR_PASTE(name, avx2)(__VA_ARGS__) :		\
	 fast(__VA_ARGS__))

#elif defined(__aarch64__) && defined(__ARM_NEON)

#include <arm_neon.h>

#define VECTOR_KEEP(vector) __asm__("" : "+w"(vector))
#define VECTOR(name) VECTOR_PASTE(name, neon)
#define VECTOR_TARGET
#define VECTOR_SIZE 16u
#define VECTOR_COUNT 4u
#define VECTOR_TYPE uint8x16_t
#define VECTOR_ERRORS uint8x16_t
#define VECTOR_WORDS 1
#define VECTOR_LOADS 0

static inline uint8x16_t VECTOR(load)(const uint8_t *s)
{
	return vld1q_u8(s);
}

/* Up to 15 bytes, with zeros after them. */
static inline uint8x16_t VECTOR(part)(const uint8_t *s, size_t len)
{
	uint64_t words[2];

	vector_words(s, len, words);
	return vcombine_u8(vcreate_u8(words[0]), vcreate_u8(words[1]));
}

static inline uint8x16_t VECTOR(all)(unsigned int byte)
{
	return vdupq_n_u8((uint8_t)byte);
}

static inline uint8x16_t VECTOR(or)(uint8x16_t a, uint8x16_t b)
{
	return vorrq_u8(a, b);
}

static inline uint8x16_t VECTOR(and)(uint8x16_t a, uint8x16_t b)
{
	return vandq_u8(a, b);
}

static inline uint8x16_t VECTOR(xor)(uint8x16_t a, uint8x16_t b)
{
	return veorq_u8(a, b);
}

static inline uint8x16_t VECTOR(less)(uint8x16_t a, uint8x16_t b)
{
	return vqsubq_u8(a, b);
}

static inline uint8x16_t VECTOR(lower)(uint8x16_t bytes, uint8x16_t half)
{
	return vandq_u8(bytes, half);
}

static inline uint8x16_t VECTOR(upper)(uint8x16_t bytes, uint8x16_t half)
{
	(void)half;
	return vshrq_n_u8(bytes, 4);
}

static inline uint8x16_t VECTOR(table)(const uint8_t *from)
{
	return vld1q_u8(from);
}

static inline uint8x16_t VECTOR(look_up)(uint8x16_t table, uint8x16_t at)
{
	return vqtbl1q_u8(table, at);
}

static inline bool VECTOR(any)(uint8x16_t bytes)
{
	return vmaxvq_u32(vreinterpretq_u32_u8(bytes)) != 0;
}

static inline size_t VECTOR(first)(uint8x16_t bytes)
{
	uint16x8_t ones = vreinterpretq_u16_u8(vtstq_u8(bytes, bytes));
	/* four bits of each byte */
	uint64x1_t bits = vreinterpret_u64_u8(vshrn_n_u16(ones, 4));

	return (size_t)__builtin_ctzll(vget_lane_u64(bits, 0)) / 4u;
}

static inline bool VECTOR(high)(uint8x16_t bytes)
{
	return vmaxvq_u8(bytes) >= 0x80u;
}

/* The bytes @by places before those of @now; @by is a constant. */
static inline FAST_INLINE uint8x16_t VECTOR(before)(uint8x16_t now,
						    uint8x16_t before, int by)
{
	return by == 1 ? vextq_u8(before, now, 15) :
	       by == 2 ? vextq_u8(before, now, 14) : vextq_u8(before, now, 13);
}

static inline size_t VECTOR(tails)(uint8x16_t bytes)
{
	return vaddvq_u8(vshrq_n_u8(vcltq_s8(vreinterpretq_s8_u8(bytes),
					     vdupq_n_s8(-0x40)), 7));
}

#include "vector_nibbles.h"
#include "vector_walk.h"

#define VECTOR_CHOICE(name, fast, ...) VECTOR_PASTE(name, neon)(__VA_ARGS__)

#else
#error "the vector engine needs x86-64, or arm64 with NEON; the fast one does not"
#endif

static inline FAST_INLINE bool utf8val_engine_valid(const uint8_t *s,
						    size_t len)
{
	return VECTOR_CHOICE(valid, fast_valid, s, len);
}

static inline FAST_INLINE size_t utf8val_engine_prefix(const uint8_t *s,
						       size_t len)
{
	return VECTOR_CHOICE(prefix, fast_prefix, s, len);
}

static inline FAST_INLINE size_t utf8val_engine_count(const uint8_t *s,
						      size_t len, size_t *units)
{
	return VECTOR_CHOICE(count, fast_count, s, len, units);
}

#endif /* UTF8VAL_VECTOR_H */
