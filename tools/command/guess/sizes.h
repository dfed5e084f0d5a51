/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* How many charsets, languages and readings there is room for. */
#ifndef UTF8VAL_GUESS_SIZES_H
#define UTF8VAL_GUESS_SIZES_H

/* a charset and a language that was written in it, or neither; and gaps */
#define MODEL_READINGS 256
/* single-byte ones and those of East Asia; each has a bit in 64 */
#define MODEL_CHARSETS 48

/* no less than letter_tables.h has */
#define MODEL_LANGUAGES 40

/*
 * Vector instructions take four readings at a time, of four charsets, so that sums
 * over the readings of each need no steps between lanes. Charsets with about as
 * many readings stand together: those at four places are a group, and its readings
 * stand in rows of four, from model_row[group] to before model_row[group + 1].
 */
#define MODEL_LANES 4
#define MODEL_GROUPS (MODEL_CHARSETS / MODEL_LANES)

#endif /* UTF8VAL_GUESS_SIZES_H */
