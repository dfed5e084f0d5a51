/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The names of a directory as witnesses for each other. */
#ifndef UTF8VAL_SCAN_BAD_DOUBT_H
#define UTF8VAL_SCAN_BAD_DOUBT_H

#include "guess/guess.h"

/* fewer names than this tell little of each other */
#define WITNESSES 3

/*
 * Make what lacks witnesses "possible" only.
 *
 * @guesses: of all names of a directory that are not alike
 * @grounds: what guess_decide() said of each
 * @groups: how many there are
 */
void bad_doubt(struct guess *guesses, const struct guess_ground *grounds,
	       unsigned int groups);

/*
 * Charsets in which a name is odd are less probable than their letters say; where no
 * other names are witnesses for them, this counts. The shares add up to 1 again.
 */
void bad_doubt_odd(float shares[static MODEL_CHARSETS], const void *name, size_t len);

#endif /* UTF8VAL_SCAN_BAD_DOUBT_H */
