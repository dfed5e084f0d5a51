// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * An argument of show or trace as bytes: hexadecimal, or text with escapes. show/show.c
 * and show/trace.c call it.
 */
#include "show/input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/*
 * Parse pairs of hexadecimal digits, with or without a prefix, that stand apart
 * or, if close, directly together.
 */
static bool parse_hex(const char *s, bool close, struct text *bytes)
{
	size_t pairs = 0;

	for (;;) {
		int value;
		char byte;

		s += strspn(s, " ,:\t\n");
		if (!*s)
			return pairs > 0;
		if (!strncasecmp(s, "0x", 2) || !strncasecmp(s, "\\x", 2))
			s += 2;
		value = text_hex_pair(s);
		if (value < 0)
			return false;
		byte = (char)value;
		text_add(bytes, &byte, 1);
		s += 2;
		pairs++;
		if (!close && *s && !strchr(" ,:\t\n\\", *s))
			return false;
	}
}

static void parse_text(const char *s, struct text *bytes)
{
	while (*s) {
		char byte = *s;
		size_t used = text_escaped(s, strlen(s), &byte);

		text_add(bytes, &byte, 1);
		s += used ? used : 1;
	}
}

static bool parse_operands(unsigned int how, char *const *operands, struct text *bytes)
{
	text_auto joined = { 0 };
	bool good = true;

	for (size_t i = 0; operands[i]; i++) {
		if (i)
			text_add(&joined, " ", 1);
		text_puts(&joined, operands[i]);
	}
	text_add(&joined, "", 1);
	if (how == INPUT_TEXT || !parse_hex(joined.bytes, how == INPUT_HEX, bytes)) {
		bytes->len = 0;
		good = how != INPUT_HEX;
		if (good)
			parse_text(joined.bytes, bytes);
		else
			complain(NULL, 0, "not pairs of hexadecimal digits. Run: "
					  "utf8val show --help");
	}
	return good;
}

static bool read_stdin(struct text *bytes)
{
	char buffer[65536];
	ssize_t got;

	while ((got = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0)
		text_add(bytes, buffer, (size_t)got);
	if (got < 0)
		complain_errno("standard input", 14, errno);
	return got == 0;
}

bool input_get(unsigned int how, char *const *operands, struct text *bytes)
{
	if (!operands[0] || (!operands[1] && !strcmp(operands[0], "-")))
		return read_stdin(bytes);
	return parse_operands(how, operands, bytes);
}
