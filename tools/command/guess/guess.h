/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The guess for an ill-formed name. form.h recognises damaged UTF-8, model.h and pool.h
 * find the older charset, and charset.h converts from it. fix, and the files of scan/ that
 * decide about names, call this.
 */
#ifndef UTF8VAL_GUESS_H
#define UTF8VAL_GUESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strings.h"
#include "base/text.h"
#include "guess/charset.h"
#include "guess/form.h"
#include "guess/model.h"

/*
 * A guess is likely when all that would make something else of the name has at most
 * this share. tools/bench/guess.py measures how often such a guess is wrong.
 */
#define GUESS_DOUBT 0.001f
/* A charset above this probability is a rival, against which other names are evidence. */
#define GUESS_RIVAL 0.00001f

/* The word for a guess: "ISO-8859-1", "CESU-8", "cut in mid-character", ... */
const char *guess_label(const struct guess *guess);

/* "possible", "likely", "certain" */
const char *guess_sure_name(enum guess_sure sure);

/*
 * Are guesses at these charsets one answer? Those of a family differ in a few signs, and
 * each name is decoded by its own guess anyway.
 */
bool guess_is_family(const char *a, const char *b);

/* The guess that something is in this charset, whose name must last. */
struct guess guess_charset(const char *charset, enum guess_sure sure);

/*
 * Groups of names of a directory that differ only in numbers and in the part after the last
 * dot, for example names of photographs. All names of a group are in one charset, and one
 * of them is as much evidence as all. All zeros is none.
 */
struct alike {
	struct arena keys;
	struct strings groups;		/* by the key that their names share */
};

/* For another directory. */
void alike_begin(struct alike *alike);

/* The group that a name is in, from 0 on; what alike_count() was if it is new. */
unsigned int alike_group(struct alike *alike, const uint8_t *name, size_t len);

/* How many groups there are. */
static inline unsigned int alike_count(const struct alike *alike)
{
	return (unsigned int)alike->groups.count;
}

void alike_free(struct alike *alike);

/* Detectors and converters, which are slow to make; one for each thread. */
struct guesser;

struct guesser *guesser_new(void);
void guesser_free(struct guesser *guesser);

/*
 * The result of model_read() for a name, until the next call: names come again in other
 * directories, and are looked up then.
 */
const struct model_name *guess_read(struct guesser *guesser, const void *name,
				    size_t len);

/* The guess for an ill-formed name by its encoding form only. */
struct guess guess_form(struct guesser *guesser, const void *name, size_t len);

/* The basis of a guess at a charset. */
struct guess_ground {
	unsigned int charset;	/* of the model */
	uint64_t rivals;	/* those that make another name and may be it, as bits */
	uint64_t same;		/* from model_same() */
	bool doubted;		/* more than GUESS_DOUBT */
};

/**
 * guess_decide() - what is this name, which no form of UTF-8 explains?
 * @guesser: a thread's own
 * @shares: how probable each charset is, from pool_decide()
 * @strange: charsets that model_read() says the letters are strange to
 * @alone: there are no others beside it, or too few
 * @name: the name
 * @len: its bytes
 * @ground: filled in
 */
struct guess guess_decide(struct guesser *guesser,
			  const float shares[static MODEL_CHARSETS],
			  uint64_t strange, bool alone, const void *name,
			  size_t len, struct guess_ground *ground);

/* The same when it is known to be in this one of the model's charsets. */
struct guess guess_known(struct guesser *guesser, unsigned int charset,
			 const void *name, size_t len);

/**
 * guess_convert() - write a name as UTF-8, taking a guess for true
 * @guesser: a thread's own
 * @guess: what the name is
 * @name: the name
 * @len: its bytes
 * @to: the result is added here
 *
 * Return: false, with nothing added, when the name cannot be written. It may be
 * ill-formed under the guess, or hold a character that no name can (a slash, a NUL).
 */
bool guess_convert(struct guesser *guesser, const struct guess *guess,
		   const void *name, size_t len, struct text *to);

/* Does a guess make any letter of bytes beyond ASCII? */
bool guess_has_letter(struct guesser *guesser, const struct guess *guess,
		      const void *name, size_t len);

/*
 * The charset that guesses have under this name or another common one ("cp1252",
 * "latin1"), in upper or lower case. NULL when no guess has it.
 */
const char *guess_made(const char *charset);

/* Is there a converter for this charset? */
bool guess_knows(struct guesser *guesser, const char *charset);

/* Are ASCII's letters, digits and dot in it what they are in ASCII? */
bool guess_has_ascii(struct guesser *guesser, const char *charset);

#endif /* UTF8VAL_GUESS_H */
