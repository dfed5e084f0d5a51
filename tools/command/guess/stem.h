/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The stem of a name, which is what is before an extension. */
#ifndef UTF8VAL_GUESS_STEM_H
#define UTF8VAL_GUESS_STEM_H

#include <stddef.h>
#include <stdint.h>

/*
 * How many bytes a name has before its extension: a dot and up to four letters of
 * ASCII or digits, which names in all charsets share.
 */
size_t stem_length(const uint8_t *name, size_t len);

#endif /* UTF8VAL_GUESS_STEM_H */
