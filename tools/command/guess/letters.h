/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The costs of a name's letters in each reading (candidate decoding) of a single-byte
 * charset. words.c, model.c, pool.c and confidence.c call this.
 */
#ifndef UTF8VAL_GUESS_LETTERS_H
#define UTF8VAL_GUESS_LETTERS_H

#include "guess/data.h"

/* After data_init(); once. */
void letters_init(void);

/* The word that begins here, and whether it has more than ASCII; 0 if none does. */
static inline size_t letters_word_at(const uint8_t *s, size_t len, bool *high)
{
	uint8_t all = 0;
	size_t i = 0;

	for (; i < len && (s[i] >= 0x80 || is_ascii_letter(s[i])); i++)
		all |= s[i];
	*high = all >= 0x80;
	return i;
}

/**
 * letters_word() - what a word with more than ASCII costs in every reading
 * @s: its bytes
 * @len: how many
 * @whole: eighths of a nat, DATA_MOST at most; nothing in those of East Asia
 *
 * Bytes that a charset lacks are not told: see data_lacking.
 */
void letters_word(const uint8_t *s, size_t len, uint16_t whole[static MODEL_READINGS]);

/* Add up costs of which neither is above DATA_MOST, nor is the sum; clear some. */
void letters_add(uint16_t *restrict whole, uint16_t *restrict some);

/*
 * Are the letters beyond ASCII, and those beside them, usual in a reading of single bytes?
 * Then no other reading need be looked at.
 */
bool letters_fit(unsigned int reading, const uint8_t *name, size_t len);

/* As model_may_lack(), for a charset of single bytes. */
bool letters_may_lack(unsigned int charset, const uint8_t *name, size_t len);

#endif /* UTF8VAL_GUESS_LETTERS_H */
