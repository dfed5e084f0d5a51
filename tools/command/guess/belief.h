/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * How far a language is to be believed that was found for the names of a directory. A
 * language that is not known here looks like one that is, in the charset in which its
 * letters beyond the common ones happen to be that one's.
 */
#ifndef UTF8VAL_GUESS_BELIEF_H
#define UTF8VAL_GUESS_BELIEF_H

#include "guess/model.h"

/* What names in one charset tell. */
struct belief {
	unsigned int charset;
	uint64_t equal;		/* charsets that make as good letters of all of them */
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
void belief_init(void);

/* For names in this charset. */
void belief_begin(struct belief *belief, unsigned int charset);

/* Add a name, and the reading in this charset that suits it best. */
void belief_add(struct belief *belief, unsigned int reading, const uint8_t *name,
		size_t len);

/*
 * The charsets beside which this one is not sure, as bits. The letters by which two
 * charsets differ are believed of the languages alone that gain by them; one language may have
 * others as witnesses: the common letters of other directories.
 */
uint64_t belief_doubt(const struct belief *belief, unsigned int language, int64_t others);

#endif /* UTF8VAL_GUESS_BELIEF_H */
