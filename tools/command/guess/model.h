/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The text of a name in each of many charsets and languages, and its probability, by
 * the frequencies of letters in letter_tables.h. guess.c, pool.c and misread.c
 * call this.
 */
#ifndef UTF8VAL_GUESS_MODEL_H
#define UTF8VAL_GUESS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guess/reading.h"

/* Prepare; any number of times, from any thread. */
void model_init(void);

/* How well does each reading suit a name? */
void model_read(const uint8_t *name, size_t len, struct model_name *read);

/*
 * The charsets that make the same of a name as this one, itself among them: a bit
 * for each.
 */
uint64_t model_same(unsigned int charset, const uint8_t *name, size_t len);

/*
 * Does the name, read in this charset, have a rare sign, or a sign or a capital inside
 * a word? Hardly any name has these.
 */
bool model_is_odd(unsigned int charset, const uint8_t *name, size_t len);

/* Is it what unzip has made of another charset: see data_unzip()? */
bool model_is_unzipped(unsigned int charset);

/*
 * May unzip have left out a letter of the name, or written one for another, if that is
 * the charset?
 */
bool model_may_lack(unsigned int charset, const uint8_t *name, size_t len);

#endif /* UTF8VAL_GUESS_MODEL_H */
