/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Fast conversion of names from any charset of the model or of iconv to UTF-8. The
 * guesses, fix --from and scan --mojibake call this.
 */
#ifndef UTF8VAL_GUESS_CHARSET_H
#define UTF8VAL_GUESS_CHARSET_H

#include <iconv.h>
#include <stdbool.h>
#include <stddef.h>
#include <uchar.h>

#include "base/strings.h"
#include "base/text.h"

/*
 * Converters kept open: opening one loads a library, so there is room for all
 * that the model knows.
 */
#define CHARSETS_OPEN 96

/* Those of one thread. */
struct charsets {
	struct converter {
		const char16_t *chars;	/* the model's of the bytes from 0x80 on, or NULL */
		iconv_t cd;		/* NULL: it was not needed yet */
	} converters[CHARSETS_OPEN];
	struct strings names;	/* theirs, in the same order */
	const char *last_name;	/* that was asked for */
	struct converter *last;
};

/* Close all; they begin as { 0 }, and are as good as that again. */
void charsets_free(struct charsets *charsets);

/*
 * Has a charset's name nothing but what such names consist of? The name of a charset is
 * printed beside names, and iconv accepts bytes that a terminal would obey.
 */
bool charset_is_name(const char *charset);

/*
 * Is there a converter for this charset, whose name lasts? It may be iconv's after
 * DATA_UNZIP.
 */
bool charsets_know(struct charsets *charsets, const char *charset);

/*
 * Are these two names of one charset? iconv makes the same of each byte then. Nothing is
 * known so of charsets in which no byte from 0x80 on is a character.
 */
bool charset_is_same(const char *charset, const char *name);

/* Add a name that is in a charset; false, with nothing added, if it is not. */
bool charsets_convert(struct charsets *charsets, const char *charset,
		      const void *name, size_t len, struct text *to);

#endif /* UTF8VAL_GUESS_CHARSET_H */
