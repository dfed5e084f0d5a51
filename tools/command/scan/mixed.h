/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Names of which a part is UTF-8 and another part is in an older charset: a program has
 * joined texts of two sources. bad_dir.c finds them; bad.c and fix/choose.c convert them.
 */
#ifndef UTF8VAL_SCAN_MIXED_H
#define UTF8VAL_SCAN_MIXED_H

#include <stdbool.h>
#include <stddef.h>

#include "guess/guess.h"

enum mixed {
	MIXED_NOT,	/* all of the name may be in the charset */
	MIXED_KEPT,	/* what is UTF-8 reads better as that, and is kept */
	MIXED_DOUBT,	/* nobody can tell */
};

/**
 * mixed_convert() - write the bytes of a name that are not UTF-8 as UTF-8
 * @guesser: a thread's own
 * @guess: the charset of these bytes
 * @name: the name, ill-formed
 * @len: its bytes
 * @to: with MIXED_KEPT, the result is added here
 *
 * Where a charset has characters of several bytes, these are often well-formed UTF-8 by
 * chance: nothing is kept there, but it may be in doubt.
 */
enum mixed mixed_convert(struct guesser *guesser, const struct guess *guess,
			 const void *name, size_t len, struct text *to);

/* Is a part of an ill-formed name UTF-8 by no chance, whatever the rest is in? */
bool mixed_is_utf8(const void *name, size_t len);

#endif /* UTF8VAL_SCAN_MIXED_H */
