// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Text that grows, its output without raw control characters, and messages. All
 * subcommands print through it.
 */
#include "base/text.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unictype.h>
#include <unistd.h>

#include "utf8val.h"

bool text_ascii_only;
/* why something could not be written to standard output */
static atomic_int output_error;
static struct colours palette = { "", "", "", "", "" };

void *must(void *allocated)
{
	static const char message[] = "utf8val: out of memory\n";

	if (allocated)
		return allocated;
	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(2);
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

bool text_is_unsafe(uint32_t cp)
{
	/* controls, formats, separators of lines; blanks, fillers, selectors */
	const uint32_t categories = UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Cf |
				    UC_CATEGORY_MASK_Z;

	if (cp < 0x7F)
		return cp < 0x20;
	/* without a question to the tables */
	if (text_is_usual(cp))
		return 0;
	return uc_is_general_category_withtable(cp, categories) ||
	       uc_is_property_default_ignorable_code_point(cp) ||
	       cp == 0x2800 /* the braille pattern without a dot */;
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

void text_column(struct text *text, const void *bytes, size_t len)
{
	const char *s = bytes;

	for (; len && *s == ' '; s++, len--)
		text_add(text, s, 1);
	if (len && (*s == '{' || *s == '[')) {
		text_printf(text, "\\x%02X", (unsigned int)*s);
		s++;
		len--;
	}
	text_escape(text, s, len);
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

/*
 * How many bytes have, under the mask, this value? Whole blocks of constant
 * length whose sum fits a byte: that is what compilers make vector code of.
 */
#define COUNT_BLOCK 128

static inline size_t count_bytes(const uint8_t *s, size_t len, uint8_t mask,
				 uint8_t value)
{
	size_t count = 0;

	for (; len >= COUNT_BLOCK; s += COUNT_BLOCK, len -= COUNT_BLOCK) {
		uint8_t sum = 0;

		for (size_t i = 0; i < COUNT_BLOCK; i++)
			sum = (uint8_t)(sum + ((s[i] & mask) == value));
		count += sum;
	}
	for (size_t i = 0; i < len; i++)
		count += (s[i] & mask) == value;
	return count;
}

void text_count(struct text_place *place, const void *bytes, size_t len)
{
	const uint8_t *s = bytes;
	const uint8_t *last = len ? memrchr(s, '\n', len) : NULL;

	if (last) {
		place->line += count_bytes(s, len, 0xFF, '\n');
		place->column = 1;
		len -= (size_t)(last + 1 - s);
		s = last + 1;
	}
	/* as many characters as bytes that are no tails */
	place->column += len - count_bytes(s, len, 0xC0, 0x80);
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

void text_emit(const struct text *text)
{
	/* an error stays in the stream, its reason does not */
	if (text->len && fwrite(text->bytes, 1, text->len, stdout) != text->len &&
	    !output_error)
		output_error = errno;
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

static void complain_text(const void *path, size_t len, const char *message)
{
	text_auto line = { 0 };

	text_puts(&line, "utf8val: ");
	if (path) {
		text_escape(&line, path, len);
		text_puts(&line, ": ");
	}
	text_puts(&line, message);
	text_puts(&line, "\n");
	fwrite(line.bytes, 1, line.len, stderr);
}

void complain(const void *path, size_t len, const char *format, ...)
{
	va_list args;
	char *message;

	va_start(args, format);
	if (vasprintf(&message, format, args) < 0)
		message = NULL;
	va_end(args);
	complain_text(path, len, must(message));
	free(message);
}

void complain_errno(const void *path, size_t len, int error)
{
	char buffer[128];

	complain_text(path, len, strerror_r(error, buffer, sizeof(buffer)));
}

const struct colours *colours(void)
{
	return &palette;
}

void text_init(void)
{
	const char *term = getenv("TERM");
	const char *no_color = getenv("NO_COLOR");
	bool terminal = isatty(STDOUT_FILENO);

	setlocale(LC_CTYPE, "");
	text_ascii_only = (terminal || isatty(STDERR_FILENO)) &&
		     strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	/* no-color.org: any non-empty value means no */
	if (terminal && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0)
		palette = (struct colours){ "\033[35m", "\033[32m",
					    "\033[1;31m", "\033[36m",
					    "\033[0m" };
}

bool text_finish(void)
{
	int error = fflush(stdout) ? errno : 0;

	if (!error && !ferror(stdout))
		return true;
	if (output_error)
		error = output_error;
	/* printf() has failed before, in --help for instance */
	if (!error)
		error = EIO;
	if (error != EPIPE)
		complain_errno("standard output", 15, error);
	return false;
}
