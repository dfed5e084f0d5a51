/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A guess at what a name is, and how certain it is. guess.h and form.h return it; the
 * files of scan/ and fix/ act on it.
 */
#ifndef UTF8VAL_GUESS_KIND_H
#define UTF8VAL_GUESS_KIND_H

#include <stdbool.h>

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

#endif /* UTF8VAL_GUESS_KIND_H */
