/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A guess at what a name is, and how certain it is. The guesses of this file are for names
 * in damaged UTF-8: another encoding form, overlong sequences, a cut. guess.c and show call
 * it; the files of scan/ and fix/ act on guesses.
 */
#ifndef UTF8VAL_GUESS_FORM_H
#define UTF8VAL_GUESS_FORM_H

#include <stdbool.h>

#include "base/text.h"
#include "utf8val_forms.h"

enum guess_kind {
	GUESS_NONE,		/* no idea */
	GUESS_CESU8,		/* supplementary ones as surrogate pairs */
	GUESS_MUTF8,		/* Java's: the same, and NUL as C0 80 */
	GUESS_UCS4,		/* lone surrogates or values above U+10FFFF */
	GUESS_OVERLONG,		/* longer forms than needed */
	GUESS_CUT,		/* cut inside its last character */
	GUESS_PERCENT,		/* some bytes as %XX, as wget writes them */
	GUESS_CHARSET,		/* another charset */
	/* well-formed, but fails a check of extra.h that an option asks for */
	GUESS_DOUBLED, GUESS_MISREAD, GUESS_NFC, GUESS_NFD, GUESS_UNPORTABLE, GUESS_UNSAFE,
	GUESS_DAMAGED,
};

enum guess_sure { GUESS_POSSIBLE, GUESS_LIKELY, GUESS_CERTAIN };

struct guess {
	enum guess_kind kind : 8;
	enum guess_sure sure : 8;
	/*
	 * Possible only, as another charset makes as good letters of the name, or as the
	 * name may lack some.
	 */
	bool undecided : 1;
	const char *charset;	/* iconv's name, for GUESS_CHARSET; lasts */
};

/* The guess at an ill-formed name, GUESS_NONE if it is none of these. */
struct guess form_guess(const void *name, size_t len, struct text *scratch);

/* Add what a name of such a kind is; false when it is none. */
bool form_convert(enum guess_kind kind, const void *name, size_t len, struct text *to);

/* Add in UTF-8 what bytes say in a form; false when they are not of it. */
bool form_to_utf8(enum utf8val_form form, const void *name, size_t len, struct text *to);

#endif /* UTF8VAL_GUESS_FORM_H */
