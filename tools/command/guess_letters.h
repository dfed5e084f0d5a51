/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What a name's letters cost in the readings of single-byte charsets. */
#ifndef UTF8VAL_GUESS_LETTERS_H
#define UTF8VAL_GUESS_LETTERS_H

#include "guess_data.h"

/* After data_init(); once. */
void letters_init(void);

/**
 * letters_costs() - what a name costs in every reading
 * @name: its bytes, without an extension
 * @len: how many, 255 at most
 * @whole: eighths of a nat; DATA_IMPOSSIBLE where a charset lacks a byte
 */
void letters_costs(const uint8_t *name, size_t len,
		   uint16_t whole[static MODEL_READINGS]);

/*
 * What a letter costs on average, in words with more than ASCII, after the one
 * before it: eighths of a nat. The charset has all of the name's bytes.
 */
unsigned int letters_average(unsigned int reading, const uint8_t *name,
			     size_t len);

/* Are the letters beyond ASCII, and those beside them, usual in a reading? */
bool letters_fit(unsigned int reading, const uint8_t *name, size_t len);

#endif /* UTF8VAL_GUESS_LETTERS_H */
