/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What is an ill-formed name probably? The core's other forms tell what UTF-8
 * went wrong; libuchardet and iconv tell which older charset it is.
 */
#ifndef UTF8VAL_GUESS_H
#define UTF8VAL_GUESS_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* room for the name of a charset; none is longer */
#define CHARSET_SIZE 24

enum guess_kind {
	GUESS_NONE,		/* no idea */
	GUESS_CESU8,		/* supplementary ones as surrogate pairs */
	GUESS_MUTF8,		/* Java's: the same, and NUL as C0 80 */
	GUESS_UCS4,		/* lone surrogates or values above U+10FFFF */
	GUESS_OVERLONG,		/* longer forms than needed */
	GUESS_CUT,		/* cut inside its last character */
	GUESS_CHARSET,		/* another charset */
};

enum guess_sure { GUESS_POSSIBLE, GUESS_LIKELY, GUESS_CERTAIN };

struct guess {
	enum guess_kind kind;
	enum guess_sure sure;
	char charset[CHARSET_SIZE];	/* iconv's name, for GUESS_CHARSET */
};

/* The guess that something is in this charset, whose name must fit. */
struct guess guess_charset(const char *charset, enum guess_sure sure);

/* Detectors and converters, which are slow to make; one for each thread. */
struct guesser;

struct guesser *guesser_new(void);
void guesser_free(struct guesser *guesser);

/**
 * guesser_sample() - learn from the names that stand beside each other
 * @guesser: a thread's own
 * @sample: ill-formed names, each ended by a newline
 * @len: their bytes
 *
 * A name alone is often too short to tell its charset; its neighbours mostly
 * share it. Replaces what an earlier sample taught.
 */
void guesser_sample(struct guesser *guesser, const void *sample, size_t len);

/* What is this name, which is known to be ill-formed? */
struct guess guess_name(struct guesser *guesser, const void *name, size_t len);

/* Does this name explain itself, so that it would not help as a sample? */
bool guess_is_form(const void *name, size_t len);

/**
 * guess_convert() - write a name as UTF-8, taking a guess for true
 * @guesser: a thread's own
 * @guess: what the name is
 * @name: the name
 * @len: its bytes
 * @to: the result is added here
 *
 * Return: false, with nothing added, when the name cannot be written: it is not
 * well-formed under the guess, or holds what no name can (a slash, a NUL).
 */
bool guess_convert(struct guesser *guesser, const struct guess *guess,
		   const void *name, size_t len, struct text *to);

/* Is there a converter for this charset? */
bool guess_knows(struct guesser *guesser, const char *charset);

/* "ISO-8859-1", "CESU-8", "cut in mid-character", ... */
const char *guess_label(const struct guess *guess);

/* "possible", "likely", "certain" */
const char *guess_sure_name(enum guess_sure sure);

#endif /* UTF8VAL_GUESS_H */
