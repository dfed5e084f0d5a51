/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The costs of ASCII words, which are the same in all charsets. model.c, words.c and
 * asia.c add them up.
 */
#ifndef UTF8VAL_GUESS_ASCII_H
#define UTF8VAL_GUESS_ASCII_H

#include "guess/data.h"

/* After data_init(); once. */
void ascii_init(void);

/* Add a word to what each language has; often it is English in all of them. */
void ascii_add(const uint8_t *s, size_t len, uint16_t costs[static MODEL_LANGUAGES]);

/* A word in English. */
unsigned int ascii_english(const uint8_t *word, size_t len);

#endif /* UTF8VAL_GUESS_ASCII_H */
