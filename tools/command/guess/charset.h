/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* From any charset that iconv knows to UTF-8, name by name and fast. */
#ifndef UTF8VAL_GUESS_CHARSET_H
#define UTF8VAL_GUESS_CHARSET_H

#include <iconv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* room for the name of a charset; none is longer */
#define CHARSET_SIZE 24
/*
 * Converters kept open: opening one loads a library, so there is room for all
 * that the model knows. And places where one can be.
 */
#define CHARSETS_OPEN 96
#define CHARSETS_PLACES 128

/* Those of one thread. */
struct charsets {
	struct converter {
		char charset[CHARSET_SIZE];	/* "": nothing is here */
		iconv_t cd;
		/* the bytes from 0x80 on, when each is one character */
		bool is_table;
		struct {
			uint8_t len;	/* 0: it is none */
			char utf8[3];
		} table[128];
	} converters[CHARSETS_PLACES];
	unsigned int count;
	struct converter *last;	/* that was asked for */
};

/* Close all; they begin as { 0 }, and are as good as that again. */
void charsets_free(struct charsets *charsets);

/* Is there a converter for this charset? */
bool charsets_know(struct charsets *charsets, const char *charset);

/* Add a name that is in a charset; false, with nothing added, if it is not. */
bool charsets_convert(struct charsets *charsets, const char *charset,
		      const void *name, size_t len, struct text *to);

#endif /* UTF8VAL_GUESS_CHARSET_H */
