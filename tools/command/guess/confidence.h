/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The confidence in a language that was found for the names of a directory; scan/bad_dir.c
 * asks for it. A language without a model here looks like one that has a model. This
 * happens in the charset in which its letters beyond the common ones are, by chance,
 * letters of that language.
 */
#ifndef UTF8VAL_GUESS_CONFIDENCE_H
#define UTF8VAL_GUESS_CONFIDENCE_H

#include "guess/reading.h"

/* The evidence of names in one charset. */
struct confidence {
	unsigned int charset;
	uint64_t equal;		/* charsets with as good letters in all of them */
	/*
	 * By how much the common letters suit each language that was found better
	 * than any other language, in eighths of a nat.
	 */
	int common[MODEL_LANGUAGES];
	/* the same of each byte from 0x80 on that is another letter, summed up */
	int letters[128];
	unsigned int counts[128];
	uint64_t languages[128];	/* that gain by the byte, as bits */
};
_Static_assert(MODEL_LANGUAGES <= 64, "too few bits");

/* After data_init() and reading_init(); once. */
void confidence_init(void);

/* For names in this charset. */
void confidence_begin(struct confidence *conf, unsigned int charset);

/* Add a name, and the reading in this charset that suits it best. */
void confidence_add(struct confidence *conf, unsigned int reading, const uint8_t *name,
		    size_t len);

/*
 * The charsets beside which this one is not certain, as bits. The letters by which two
 * charsets differ count only for the languages that gain by them. For @language, the
 * common letters of other directories count as well: @others.
 */
uint64_t confidence_rivals(const struct confidence *conf, unsigned int language,
			   int64_t others);

#endif /* UTF8VAL_GUESS_CONFIDENCE_H */
