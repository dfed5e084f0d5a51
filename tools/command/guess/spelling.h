/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What hardly anybody writes, in a charset of single bytes. */
#ifndef UTF8VAL_GUESS_SPELLING_H
#define UTF8VAL_GUESS_SPELLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Is there, read in this charset, a quotation mark or a Spanish one without its
 * other half, a Latin letter that is a word in no language, a Greek word with two
 * accents, a short U of Belarusian after a consonant, or a line that was drawn?
 *
 * Costs of pairs tell the usual from the unusual, but a name in a charset that is
 * not known here may be usual enough.
 */
bool spelling_is_odd(unsigned int charset, const uint8_t *name, size_t len);

/* Is this German's second quotation mark, which is English's first? */
bool spelling_closes(unsigned int charset, const uint8_t *name, size_t at);

#endif /* UTF8VAL_GUESS_SPELLING_H */
