/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What only utf8val prints: columns, places in a text, messages and colours. All of its
 * subcommands use this, and what output.h has for both commands.
 */
#ifndef UTF8VAL_BASE_TEXT_H
#define UTF8VAL_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "utf8val.h"

static inline _Bool text_is_ascii(const void *bytes, size_t len)
{
	const uint8_t *s = bytes;

	while (len && s[len - 1] < 0x80)
		len--;
	return !len;
}

/* Go over the characters of well-formed bytes, each in cp, a uint32_t. */
#define for_each_character(cp, bytes, len) \
	for (const uint8_t *pos_ = (const uint8_t *)(bytes), *end_ = pos_ + (len); \
	     utf8val_next(&pos_, end_, &(cp)) != UTF8VAL_END;)

/* Escape as text_escape() does, for a line's first column: no line looks like JSON. */
void text_column(struct text *text, const void *bytes, size_t len);

/* A place: bytes before it, and its line and column, in characters, from 1 on. */
struct text_place {
	unsigned long long offset, line, column;
};

/* Move line and column of a place over well-formed bytes. */
void text_count(struct text_place *place, const void *bytes, size_t len);

/* Write to standard output in one piece, whatever other threads write. */
void text_emit(const struct text *text);

/*
 * One line on standard error: "utf8val: PATH: message" (path may be NULL), the
 * path escaped, the message trusted.
 */
void complain(const void *path, size_t len, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for an errno value. */
void complain_errno(const void *path, size_t len, int error);

/* Colours: empty strings when they are not wanted on standard output. */
struct colours {
	const char *path, *number, *bad, *good, *off;
};

const struct colours *colours(void);

/* Prepare the above; call once, before any thread starts. */
void text_init(void);

/* Flush standard output: false, with a message, when that failed. */
_Bool text_finish(void);

#endif /* UTF8VAL_BASE_TEXT_H */
