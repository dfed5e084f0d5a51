/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The names of a directory as evidence for each other; scan/bad_dir.c calls this. */
#ifndef UTF8VAL_SCAN_BAD_EVIDENCE_H
#define UTF8VAL_SCAN_BAD_EVIDENCE_H

#include "guess/guess.h"

/* fewer names than this tell little of each other */
#define ENOUGH_NAMES 3

/*
 * Make guesses without enough evidence "possible" only.
 *
 * @guesses: of all names of a directory that are not alike
 * @grounds: what guess_decide() said of each
 * @groups: how many there are
 */
void bad_evidence_check(struct guess *guesses, const struct guess_ground *grounds,
			unsigned int groups);

/*
 * Charsets in which a name is odd are less probable than their letters say; this counts
 * where no other names are evidence for them. The shares add up to 1 again.
 */
void bad_evidence_odd(float shares[static MODEL_CHARSETS], const void *name, size_t len);

#endif /* UTF8VAL_SCAN_BAD_EVIDENCE_H */
