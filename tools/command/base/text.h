/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Text that grows, and its output: escaped for people, JSON or raw for programs. All
 * subcommands print through it. If memory runs out, the program ends with a message.
 */
#ifndef UTF8VAL_BASE_TEXT_H
#define UTF8VAL_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "utf8val.h"

struct text {
	char *bytes;	/* not terminated; NULL while cap is 0 */
	size_t len;
	size_t cap;
};

void *must(void *allocated);

/* Where the next so many bytes go, which the caller then counts. */
char *text_grow(struct text *text, size_t len);

static inline char *text_room(struct text *text, size_t len)
{
	return text->cap - text->len < len ? text_grow(text, len) :
					     text->bytes + text->len;
}

/* These two stand here since names are written in many small pieces. */
static inline void text_add(struct text *text, const void *bytes, size_t len)
{
	if (!len)
		return;
	memcpy(text_room(text, len), bytes, len);
	text->len += len;
}

static inline void text_puts(struct text *text, const char *string)
{
	text_add(text, string, strlen(string));
}

void text_number(struct text *text, size_t number);
void text_printf(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void text_free(struct text *text);

/* A text that is freed where its block ends; it begins as { 0 }. */
#define text_auto __attribute__((cleanup(text_free))) struct text

/**
 * text_escape() - add bytes so that a terminal shows them and obeys none
 * @text: where to
 * @bytes: anything
 * @len: how many
 *
 * Well-formed UTF-8 stays as it is. These are written as \xHH, \n, \t, \r or \\:
 * ill-formed bytes, controls (C0, DEL, C1), invisible characters (see
 * text_is_unsafe()), and the backslash itself. Invisible are bidirectional marks,
 * zero-width and tag characters, fillers, line separators, and blanks other than the
 * space. The mapping is one to one: printf '%b' of bash and zsh gives the bytes back.
 * Where the terminal's locale is not UTF-8, everything outside ASCII is escaped too.
 *
 * All messages show names this way and not by utf8val_replace(), which lets
 * controls through and can make two names look the same. The command calls that
 * where U+FFFD is asked for: in the new names of "fix --rest=replace".
 */
void text_escape(struct text *text, const void *bytes, size_t len);

/* The same for a line's first column: text_escape(), and no line looks like JSON. */
void text_column(struct text *text, const void *bytes, size_t len);

/* Whether the locale of the terminal is not UTF-8; text_init() finds that out. */
extern _Bool text_ascii_only;

/**
 * text_escaped() - find out what an escape stands for
 * @s: a place in a string
 * @len: how many bytes follow it
 * @byte: set to the byte that is written so
 *
 * Return: the length of the escape; 0 when none begins here that text_escape() writes.
 * Hexadecimal digits may be small letters, too.
 */
size_t text_escaped(const char *s, size_t len, char *byte);

/*
 * The number that two hexadecimal digits make; -1 when there are none. Bytes after the
 * first one that is not a digit are not read.
 */
int text_hex_pair(const char *s);

/**
 * text_unescape() - add the bytes that text_escape() has written
 * @text: where to
 * @bytes: what it wrote
 * @len: how many
 *
 * Return: true; or false at a backslash that it does not write, and @text->len is
 * what it was.
 */
_Bool text_unescape(struct text *text, const void *bytes, size_t len);

static inline _Bool text_is_ascii(const void *bytes, size_t len)
{
	const uint8_t *s = bytes;

	while (len && s[len - 1] < 0x80)
		len--;
	return !len;
}

/* Is it one of most scripts' letters and marks, of which none is hidden or blank? */
static inline _Bool text_is_usual(uint32_t cp)
{
	return (cp > 0x20 && cp < 0x7F) || (cp >= 0xC0 && cp < 0x300) ||
	       (cp >= 0x370 && cp < 0x600) || (cp >= 0x4E00 && cp < 0xA000);
}

/*
 * Would a terminal obey this character, or show nothing or a blank for it? Only
 * the space itself is a blank that can be seen to be one.
 */
_Bool text_is_unsafe(uint32_t cp);

/* Go over the characters of well-formed bytes, each in cp, a uint32_t. */
#define for_each_character(cp, bytes, len) \
	for (const uint8_t *pos_ = (const uint8_t *)(bytes), *end_ = pos_ + (len); \
	     utf8val_next(&pos_, end_, &(cp)) != UTF8VAL_END;)

/* A place: bytes before it, and its line and column, in characters, from 1 on. */
struct text_place {
	unsigned long long offset, line, column;
};

/* Move line and column of a place over well-formed bytes. */
void text_count(struct text_place *place, const void *bytes, size_t len);

/* Add bytes in hexadecimal, "C0 80", with sep between them; 0 for none. */
void text_hex(struct text *text, const void *bytes, size_t len, char sep);

/*
 * Add a word so that it can be pasted into bash or zsh: plain, in '...', or in
 * $'...' with what text_escape() would write.
 */
void text_shell(struct text *text, const char *word);

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
