// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Columns, places in a text, messages and colours. All subcommands print through it.
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
#include <unistd.h>

/* why something could not be written to standard output */
static atomic_int output_error;
static struct colours palette = { "", "", "", "", "" };

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

void text_emit(const struct text *text)
{
	/* an error stays in the stream, its reason does not */
	if (text->len && fwrite(text->bytes, 1, text->len, stdout) != text->len &&
	    !output_error)
		output_error = errno;
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
