/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The costs of a name's words in the readings of single-byte charsets. model.c and asia.c
 * call this.
 */
#ifndef UTF8VAL_GUESS_WORDS_H
#define UTF8VAL_GUESS_WORDS_H

#include "guess/data.h"
#include "guess/reading.h"

/* After data_init(); once. */
void words_init(void);

/* The cost of a word of ASCII in English. */
unsigned int words_english(const uint8_t *word, size_t len);

/**
 * words_costs() - what a name costs in every reading
 * @name: its bytes, without an extension
 * @len: how many, 255 at most
 * @whole: eighths of a nat; DATA_IMPOSSIBLE where a charset lacks a byte
 * @read: gets the charsets that the letters are strange to
 */
void words_costs(const uint8_t *name, size_t len, uint16_t whole[static MODEL_READINGS],
		 struct model_name *read);

#endif /* UTF8VAL_GUESS_WORDS_H */
