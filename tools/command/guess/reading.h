/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A reading is a candidate decoding: a charset and a language that was written in it.
 * This file has the list of readings, the prior probability of each, and the evidence
 * of a name for each. All files of guess/ use it.
 */
#ifndef UTF8VAL_GUESS_READING_H
#define UTF8VAL_GUESS_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guess/sizes.h"

/* the reading that a name is in nothing known here */
#define MODEL_NOISE 0

struct model_reading {
	uint8_t charset;	/* 0: none */
	uint8_t language;
};

/*
 * These are the same during the whole run. Readings stand charset by charset: those of
 * charset c from model_first[c] to before model_first[c + 1].
 */
extern struct model_reading model_reading[MODEL_READINGS];
extern unsigned int model_first[MODEL_CHARSETS + 1];
extern float model_prior[MODEL_READINGS];	/* adds up to 1 over all readings */
extern float model_in_charset[MODEL_READINGS];	/* over those of its charset */
/*
 * From this number on they are none, so that loops over all have no rest beside vector
 * instructions. These have no prior, and no name can be one.
 */
#define MODEL_GAPS model_first[MODEL_CHARSETS]

/* what each byte is in a reading: a class of its language's, see data.h */
extern uint8_t model_classes[MODEL_READINGS][256];

/* Readings of single bytes are before this one, then come East Asian ones. */
#define MODEL_WIDE model_first[MODEL_SINGLE + 1]

/* costs are differences of ln P to the best reading, in quarters */
#define MODEL_STEPS 4.0f
#define MODEL_IMPOSSIBLE 255

/* The evidence of a name by itself. */
struct model_name {
	/* of each reading; MODEL_IMPOSSIBLE when the name cannot be it */
	uint8_t costs[MODEL_READINGS];
	/*
	 * Charsets to all of whose languages the letters are strange, as bits. A
	 * charset that is not known here mostly looks so in all that are. In that
	 * of a reading that letters_fit() says suits the name they are not.
	 */
	uint64_t strange;
	uint64_t strange_alone;	/* the same if no other name is evidence */
	/*
	 * How many letters of its words are not ASCII, with an end for each word. Then
	 * the cost of these in the best language of each single-byte charset.
	 */
	unsigned int letters;
	uint16_t least[MODEL_CHARSETS];
};

/* Is it one of East Asia's, in which a character is two bytes or more? */
static inline bool model_is_wide(unsigned int charset)
{
	return charset > MODEL_SINGLE;
}

/* Prepare all this, after data_init(); once. */
void reading_init(void);

/* iconv's name of a charset, and of one that differs in a few signs, or NULL */
const char *model_charset_name(unsigned int charset);
const char *model_charset_variant(unsigned int charset);
/* The number of one of single bytes by that name, in any case; 0: there is none. */
unsigned int model_charset(const char *name);

#endif /* UTF8VAL_GUESS_READING_H */
