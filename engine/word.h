/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The word engine skips well-formed text: eight bytes of ASCII at a time, or one
 * character. It stops at the first word that it does not recognise. From there the
 * compact engine decides, and checks the last bytes of the text. engine.h includes this
 * file.
 */
#ifndef UTF8VAL_WORD_H
#define UTF8VAL_WORD_H

#ifndef __GNUC__
#error "the word engine needs GCC, Clang or a relative of theirs"
#elif __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the word engine needs a little-endian machine; the compact one does not"
#endif

#define UTF8VAL_WORD_HIGH 0x80808080u

/* On CPUs where an unaligned load could fault, the compiler loads single bytes. */
struct utf8val_unaligned {
	uint32_t word;
} __attribute__((packed, may_alias));

typedef uint32_t __attribute__((may_alias)) utf8val_word;

static inline uint32_t utf8val_load(const uint8_t *s)
{
	return ((const struct utf8val_unaligned *)s)->word;
}

/* Eight bytes, the first of them aligned. */
static inline bool utf8val_ascii_8(const uint8_t *s)
{
	const utf8val_word *pair = (const void *)s;

	return ((pair[0] | pair[1]) & UTF8VAL_WORD_HIGH) == 0u;
}

/* Bytes up to the next aligned word, 1 to 4. */
static inline uint32_t utf8val_to_aligned(const uint8_t *s)
{
	return 4u - ((uintptr_t)s & 3u);
}

/*
 * utf8val_shape_N(): does the word begin with a lead of N bytes and N - 1 tails?
 * utf8val_fits_N(): may the second byte follow this lead? For N = 2 and N = 4 the
 * caller flips the high bits before, because the constants are then small.
 */

static inline bool utf8val_ascii_4(uint32_t word)
{
	return (word & UTF8VAL_WORD_HIGH) == 0u;
}

static inline bool utf8val_ascii_1(uint32_t word)
{
	return (word & 0x80u) == 0u;
}

static inline bool utf8val_shape_3(uint32_t word)
{
	return (word & UTF8VAL_WORD3_MASK) == UTF8VAL_WORD3_VALUE;
}

static inline bool utf8val_fits_3(uint32_t word)
{
	word &= UTF8VAL_WORD3_BITS;
	return word != UTF8VAL_WORD3_OVERLONG &&
	       word != UTF8VAL_WORD3_SURROGATE;
}

static inline uint32_t utf8val_flip(uint32_t word)
{
	return word ^ UTF8VAL_WORD_HIGH;
}

static inline bool utf8val_shape_2(uint32_t flipped)
{
	return (flipped & UTF8VAL_WORD2_MASK) ==
	       (UTF8VAL_WORD2_VALUE ^ 0x8080u);
}

static inline bool utf8val_fits_2(uint32_t flipped)
{
	return (flipped & UTF8VAL_WORD2_BITS) != 0u;
}

static inline bool utf8val_shape_4(uint32_t flipped)
{
	return (flipped & UTF8VAL_WORD4_MASK) ==
	       (UTF8VAL_WORD4_VALUE ^ UTF8VAL_WORD_HIGH);
}

static inline bool utf8val_fits_4(uint32_t flipped)
{
	uint32_t row = (uint32_t)UTF8VAL_ROW4 +
		       (((flipped & 7u) << 2) | (flipped >> 12 & 3u));

	return row >= (uint32_t)UTF8VAL_ROW4_FIRST &&
	       row <= (uint32_t)UTF8VAL_ROW4_LAST;
}

/*
 * Skip whole characters from @s on. @last is the last position from which four bytes
 * can be loaded; @s must not be after it.
 */
static inline const uint8_t *utf8val_pass_words(const uint8_t *s,
						const uint8_t *last)
{
	do
	UTF8VAL_LOOP(word) {
		uint32_t word = utf8val_load(s);

		while (utf8val_shape_3(word))
		UTF8VAL_LOOP(word_threes) {
			if (!utf8val_fits_3(word))
				return s;
			s += 3;
			if (s > last)
				return s;
			word = utf8val_load(s);
		}
		if (utf8val_ascii_4(word)) {
			s += utf8val_to_aligned(s);
			while (last - s >= 4 && utf8val_ascii_8(s))
			UTF8VAL_LOOP(word_ascii)
				s += 8;
			continue;
		}
		if (utf8val_ascii_1(word)) {
			s++;
			continue;
		}
		word = utf8val_flip(word);
		if (utf8val_shape_2(word)) {
			if (!utf8val_fits_2(word))
				return s;
			s += 2;
		} else if (utf8val_shape_4(word)) {
			if (!utf8val_fits_4(word))
				return s;
			s += 4;
		} else {
			return s;
		}
	} while (s <= last);
	return s;
}

static inline UTF8VAL_ENGINE_INLINE size_t
utf8val_engine_prefix(const uint8_t *s, size_t len)
{
	size_t at = 0;

	/* if len is 0, the pointer may be null, which must not be subtracted */
	if (len >= 4u)
		at = (size_t)(utf8val_pass_words(s, s + (len - 4u)) - s);
	return utf8val_compact_walk(s, len, at);
}

#endif /* UTF8VAL_WORD_H */
