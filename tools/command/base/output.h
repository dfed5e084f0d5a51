/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Text that grows, and bytes of others in it: escaped for people, as words of a shell, as
 * JSON. All subcommands of both commands, utf8val and utf8val-guard, print through it. If
 * memory runs out, the program ends with a message.
 */
#ifndef UTF8VAL_BASE_OUTPUT_H
#define UTF8VAL_BASE_OUTPUT_H

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

/* Add bytes in hexadecimal, "C0 80", with sep between them; 0 for none. */
void text_hex(struct text *text, const void *bytes, size_t len, char sep);

/*
 * Add a word so that it can be pasted into bash or zsh: plain, in '...', or in
 * $'...' with what text_escape() would write.
 */
void text_shell(struct text *text, const char *word);

/**
 * text_json() - add bytes as a JSON object that gives them back exactly
 * @text: where to
 * @key: what stands before the object: {"path":
 * @bytes: anything
 * @len: how many
 *
 * {"text":"..."} for well-formed UTF-8, {"bytes":"..."} in base64 otherwise, as
 * ripgrep does it.
 */
void text_json(struct text *text, const char *key, const void *bytes, size_t len);

/* Add a JSON string in the same way; its bytes are known to be well-formed UTF-8. */
void text_json_string(struct text *text, const char *key, const void *bytes, size_t len);

/* The digits of base64, by their value. */
extern const char text_base64[];

#endif /* UTF8VAL_BASE_OUTPUT_H */
