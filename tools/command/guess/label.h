/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Words for guesses, as they are printed. */
#ifndef UTF8VAL_GUESS_LABEL_H
#define UTF8VAL_GUESS_LABEL_H

#include "guess/guess.h"

/* "ISO-8859-1", "CESU-8", "cut in mid-character", ... */
const char *guess_label(const struct guess *guess);

/* "possible", "likely", "certain" */
const char *guess_sure_name(enum guess_sure sure);

#endif /* UTF8VAL_GUESS_LABEL_H */
