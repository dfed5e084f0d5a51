// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Text that grows, and bytes of others in it: without raw control characters, as words of a
 * shell, as JSON. All subcommands of both commands print through it.
 */
#include "base/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "utf8val.h"

bool text_ascii_only;

void *must(void *allocated)
{
	if (allocated)
		return allocated;
	fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
	_exit(2);
}

char *text_grow(struct text *text, size_t len)
{
	size_t cap = text->cap ? text->cap : 128;

	while (cap - text->len < len)
		cap *= 2;
	text->bytes = must(realloc(text->bytes, cap));
	text->cap = cap;
	return text->bytes + text->len;
}

void text_number(struct text *text, size_t number)
{
	char digits[20];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + number % 10);
	while (number /= 10);
	text_add(text, digits + at, sizeof(digits) - at);
}

void text_printf(struct text *text, const char *format, ...)
{
	size_t size = 64;
	va_list args;
	int len;

	for (;;) {
		char *to = text_room(text, size);

		va_start(args, format);
		len = vsnprintf(to, size, format, args);
		va_end(args);
		if (len < 0)
			must(NULL);
		if ((size_t)len < size)
			break;
		size = (size_t)len + 1;
	}
	text->len += (size_t)len;
}

void text_free(struct text *text)
{
	free(text->bytes);
	*text = (struct text){ 0 };
}

/*
 * Characters that a terminal obeys or shows nothing or a blank for. These are Unicode's
 * categories Cc, Cf and Z without the space, its Default_Ignorable_Code_Point, and the
 * braille pattern without a dot.
 */
static const struct range {
	uint32_t first, last;
} unsafe[] = {
	{ 0x00, 0x1F },		{ 0x7F, 0xA0 },		{ 0xAD, 0xAD },
	{ 0x34F, 0x34F },	{ 0x600, 0x605 },	{ 0x61C, 0x61C },
	{ 0x6DD, 0x6DD },	{ 0x70F, 0x70F },	{ 0x890, 0x891 },
	{ 0x8E2, 0x8E2 },	{ 0x115F, 0x1160 },	{ 0x1680, 0x1680 },
	{ 0x17B4, 0x17B5 },	{ 0x180B, 0x180F },	{ 0x2000, 0x200F },
	{ 0x2028, 0x202F },	{ 0x205F, 0x206F },	{ 0x2800, 0x2800 },
	{ 0x3000, 0x3000 },	{ 0x3164, 0x3164 },	{ 0xFE00, 0xFE0F },
	{ 0xFEFF, 0xFEFF },	{ 0xFFA0, 0xFFA0 },	{ 0xFFF0, 0xFFFB },
	{ 0x110BD, 0x110BD },	{ 0x110CD, 0x110CD },	{ 0x13430, 0x1343F },
	{ 0x1BCA0, 0x1BCA3 },	{ 0x1D173, 0x1D17A },	{ 0xE0000, 0xE0FFF },
	{ UINT32_MAX, UINT32_MAX },
};

bool text_is_unsafe(uint32_t cp)
{
	const struct range *range = unsafe;

	/* without a question to the table */
	if (text_is_usual(cp))
		return false;
	while (range->last < cp)
		range++;
	return range->first <= cp;
}

static const char HEX[] = "0123456789ABCDEF";

/* The characters that are written as a backslash and a letter, and the letters. */
static const char short_bytes[] = "\n\t\r\\", short_letters[] = "ntr\\";

static void add_escape(struct text *text, uint8_t byte)
{
	const char *at = byte ? strchr(short_bytes, byte) : NULL;
	const char escape[] = { '\\', at ? short_letters[at - short_bytes] : 'x',
				HEX[byte >> 4], HEX[byte & 15] };

	text_add(text, escape, at ? 2 : sizeof(escape));
}

void text_escape(struct text *text, const void *bytes, size_t len)
{
	const uint8_t *pos = bytes, *plain = pos;
	const uint8_t *end = pos + len;

	while (pos < end) {
		const uint8_t *sequence;
		uint32_t cp;

		/* most of it */
		while (pos < end && *pos >= ' ' && *pos < 0x7F && *pos != '\\')
			pos++;
		if (pos == end)
			break;
		sequence = pos;
		if (utf8val_next(&pos, end, &cp) == UTF8VAL_OK && cp != '\\' &&
		    !text_is_unsafe(cp) &&
		    (cp < 0x80 || !text_ascii_only))
			continue;
		text_add(text, plain, (size_t)(sequence - plain));
		for (; sequence < pos; sequence++)
			add_escape(text, *sequence);
		plain = pos;
	}
	text_add(text, plain, (size_t)(end - plain));
}

/* The value of a hexadecimal digit; -1 if it is not one. */
static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int text_hex_pair(const char *s)
{
	int high = hex_digit(s[0]), low = high < 0 ? -1 : hex_digit(s[1]);

	return low < 0 ? -1 : high << 4 | low;
}

size_t text_escaped(const char *s, size_t len, char *byte)
{
	const char *letter;
	int value;

	if (len < 2 || *s != '\\' || !s[1])
		return 0;
	letter = strchr(short_letters, s[1]);
	if (letter) {
		*byte = short_bytes[letter - short_letters];
		return 2;
	}
	value = s[1] == 'x' && len >= 4 ? text_hex_pair(s + 2) : -1;
	if (value < 0)
		return 0;
	*byte = (char)value;
	return 4;
}

bool text_unescape(struct text *text, const void *bytes, size_t len)
{
	const char *s = bytes;
	size_t begin = text->len, used;

	for (size_t i = 0; i < len; i += used) {
		char byte = s[i];

		used = byte == '\\' ? text_escaped(s + i, len - i, &byte) : 1;
		if (!used) {
			text->len = begin;
			return false;
		}
		text_add(text, &byte, 1);
	}
	return true;
}

void text_hex(struct text *text, const void *bytes, size_t len, char sep)
{
	const uint8_t *s = bytes;

	for (size_t i = 0; i < len; i++) {
		if (i && sep)
			text_add(text, &sep, 1);
		text_add(text, &HEX[s[i] >> 4], 1);
		text_add(text, &HEX[s[i] & 15], 1);
	}
}

/* Does a shell take it for a word as it is? */
static bool is_plain(const char *word)
{
	for (; *word; word++) {
		bool letter = (*word | 0x20) >= 'a' && (*word | 0x20) <= 'z';

		if (!letter && !strchr("0123456789-_./,:@%+=", *word))
			return false;
	}
	return true;
}

void text_shell(struct text *text, const char *word)
{
	text_auto escaped = { 0 };
	size_t len = strlen(word);
	bool same;

	text_escape(&escaped, word, len);
	same = escaped.len == len;
	if (len && is_plain(word)) {
		text_puts(text, word);
		return;
	}
	/* $'...' takes the escapes that text_escape() writes */
	text_puts(text, same ? "'" : "$'");
	for (size_t i = 0; i < escaped.len; i++) {
		if (escaped.bytes[i] == '\'')
			text_puts(text, same ? "'\\'" : "\\");
		text_add(text, escaped.bytes + i, 1);
	}
	text_puts(text, "'");
}

/* \uXXXX, above the Basic Multilingual Plane as a pair of surrogates. */
static void add_json_escape(struct text *text, uint32_t cp)
{
	if (cp >= 0x10000) {
		text_printf(text, "\\u%04x", 0xD800 + ((cp - 0x10000) >> 10));
		cp = 0xDC00 + (cp & 0x3FF);
	}
	text_printf(text, "\\u%04x", cp);
}

void text_json_string(struct text *text, const char *key, const void *bytes, size_t len)
{
	const uint8_t *pos = bytes, *sequence = pos;
	const uint8_t *end = pos + len;
	uint32_t cp;

	text_puts(text, key);
	text_add(text, "\"", 1);
	while (utf8val_next(&pos, end, &cp) != UTF8VAL_END) {
		if (cp == '"' || cp == '\\' || text_is_unsafe(cp) ||
		    (cp >= 0x80 && text_ascii_only))
			add_json_escape(text, cp);
		else
			text_add(text, sequence, (size_t)(pos - sequence));
		sequence = pos;
	}
	text_add(text, "\"", 1);
}

/* Base64 as in RFC 4648, section 4. */
const char text_base64[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void add_base64(struct text *text, const uint8_t *s, size_t len)
{
	for (size_t i = 0; i < len; i += 3) {
		size_t have = len - i < 3 ? len - i : 3;
		uint32_t bits = (uint32_t)s[i] << 16;
		char out[4];

		if (have > 1)
			bits |= (uint32_t)s[i + 1] << 8;
		if (have > 2)
			bits |= s[i + 2];
		for (unsigned int k = 0; k < 4; k++)
			out[k] = k <= have ? text_base64[bits >> (18 - 6 * k) & 63] : '=';
		text_add(text, out, sizeof(out));
	}
}

void text_json(struct text *text, const char *key, const void *bytes, size_t len)
{
	text_puts(text, key);
	if (utf8val_valid(bytes, len)) {
		text_json_string(text, "{\"text\":", bytes, len);
		text_puts(text, "}");
	} else {
		text_puts(text, "{\"bytes\":\"");
		add_base64(text, bytes, len);
		text_puts(text, "\"}");
	}
}
