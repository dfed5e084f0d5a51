/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What a name would be in each of many charsets and languages, and how probable
 * that is: the letters' frequencies are in guess_tables.h.
 */
#ifndef UTF8VAL_GUESS_MODEL_H
#define UTF8VAL_GUESS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* a charset and a language that was written in it, or neither; and gaps */
#define MODEL_READINGS 256
/* single-byte ones and those of East Asia; each has a bit in 64 */
#define MODEL_CHARSETS 48

/* the reading that a name is in nothing known here */
#define MODEL_NOISE 0

/* costs are differences of ln P to the best reading, in quarters */
#define MODEL_STEPS 4.0f
#define MODEL_IMPOSSIBLE 255

struct model_reading {
	uint8_t charset;	/* 0: none */
	uint8_t language;
};

/*
 * The same during the whole run. A reading that is none has no prior, and no name
 * can be it.
 */
extern struct model_reading model_reading[MODEL_READINGS];
extern float model_prior[MODEL_READINGS];	/* adds up to 1 over all readings */
extern float model_in_charset[MODEL_READINGS];	/* over those of its charset */

/*
 * Those in use, charset by charset: those of charset c from model_first[c] to
 * before model_first[c + 1].
 */
extern uint8_t model_listed[MODEL_READINGS];
extern unsigned int model_first[MODEL_CHARSETS + 1];

/*
 * Vector instructions take four readings at a time, of four charsets, so that sums
 * over the readings of each need no steps between lanes. Charsets with about as
 * many readings stand together: those at four places are a group, and its readings
 * stand in rows of four, from model_row[group] to before model_row[group + 1].
 */
#define MODEL_LANES 4
#define MODEL_GROUPS (MODEL_CHARSETS / MODEL_LANES)
extern uint8_t model_charset_at[MODEL_CHARSETS];	/* by place */
extern unsigned int model_row[MODEL_GROUPS + 1];

/* Prepare; any number of times, from any thread. */
void model_init(void);

/* The end of what is before an extension, which all charsets share. */
size_t model_stem(const uint8_t *name, size_t len);

/* What a name tells by itself. */
struct model_name {
	/* of each reading; MODEL_IMPOSSIBLE when the name cannot be it */
	uint8_t costs[MODEL_READINGS];
	/*
	 * Charsets to all of whose languages the letters are strange, as bits. A
	 * charset that is not known here mostly looks so in all that are. In that
	 * of a reading that model_fits() says suits the name they are not.
	 */
	uint64_t strange;
	uint64_t strange_alone;	/* the same where no other name is a witness */
};

struct words;

/* How well does each reading suit a name? For words, see guess_words.h. */
void model_read(struct words *words, const uint8_t *name, size_t len,
		struct model_name *read);

/* Does the name suit this reading so well that no other need be looked at? */
bool model_fits(unsigned int reading, const uint8_t *name, size_t len);

/*
 * The charsets that make the same of a name as this one, itself among them: a bit
 * for each.
 */
uint64_t model_same(unsigned int charset, const uint8_t *name, size_t len);

/* iconv's name of a charset, and of one that differs in a few signs, or NULL */
const char *model_charset_name(unsigned int charset);
const char *model_charset_variant(unsigned int charset);

/* Is it one of East Asia's, in which a character is two bytes or more? */
bool model_is_wide(unsigned int charset);

/*
 * Is this one of the model's charsets in which each byte is one character? Not
 * all of single-byte ones are: Hebrew and Vietnamese points join letters.
 */
bool model_is_plain(const char *name);

/*
 * Is there anything in the name, read in this charset, that hardly any name
 * has: a rare sign, a sign or a capital inside a word?
 */
bool model_is_odd(unsigned int charset, const uint8_t *name, size_t len);

#endif /* UTF8VAL_GUESS_MODEL_H */
