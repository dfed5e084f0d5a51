// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Print bytes that somebody else has chosen. */
#include <string.h>

#include "print.h"
#include "utf8val.h"

/* How many bytes has the character at s, if a terminal may be shown it? Else 0. */
static size_t printable(const char *s)
{
	int32_t cp;
	const char *pos = utf8val_next(s, s + strlen(s), &cp);

	if (cp < 0x20 || cp == '\\' || cp == '"' || (cp >= 0x7F && cp < 0xA0) ||
	    cp == 0x2028 || cp == 0x2029 || (cp >= 0x200B && cp < 0x2010) ||
	    (cp >= 0x202A && cp < 0x202F) || (cp >= 0x2066 && cp < 0x206A))
		return 0;
	return (size_t)(pos - s);
}

static void print_escaped(FILE *to, const char *s, const char *escape)
{
	while (*s) {
		size_t len = printable(s);

		if (len)
			fprintf(to, "%.*s", (int)len, s);
		else
			fprintf(to, "%s%02x", escape, (unsigned char)*s);
		s += len ? len : 1;
	}
}

void print_safe(FILE *to, const char *s)
{
	print_escaped(to, s, "\\x");
}

void print_label(const char *s)
{
	print_escaped(stdout, s, "\\\\x");
}

/* A byte that is not UTF-8 becomes U+DCxx, as in Python's surrogateescape. */
void print_json(const char *s)
{
	putchar('"');
	while (*s) {
		int32_t cp;
		const char *pos = utf8val_next(s, s + strlen(s), &cp);
		size_t len = printable(s);

		if (len) {
			printf("%.*s", (int)len, s);
		} else if (cp >= 0) {
			len = (size_t)(pos - s);
			printf("\\u%04x", (unsigned int)cp);
		} else {
			printf("\\udc%02x", (unsigned char)*s);
		}
		s += len ? len : 1;
	}
	putchar('"');
}
