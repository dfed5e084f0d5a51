// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Walk forwards over bytes that may be anything. The suite examples runs it. */
#include <inttypes.h>
#include <stdio.h>

#include "utf8val.h"

/* Print each code point, and each ill-formed sequence with its reason. */
static void show(const uint8_t *text, size_t len)
{
	const uint8_t *pos = text, *end = text + len;
	enum utf8val_reason reason;
	uint32_t cp;

	while ((reason = utf8val_next(&pos, end, &cp)) != UTF8VAL_END)
		if (reason == UTF8VAL_OK)
			printf("U+%04" PRIX32 "\n", cp);
		else
			printf("%s, up to byte %td\n", utf8val_reason_name(reason),
			       pos - text);
}

int main(void)
{
	static const uint8_t text[] = "a\xC3\xA9\xED\xA0\x80\xF0\x9F\x98\x80\xE4\xBD";

	show(text, sizeof(text) - 1);
	return 0;
}

/* Prints:
 * U+0061
 * U+00E9
 * surrogate, up to byte 4
 * stray tail, up to byte 5
 * stray tail, up to byte 6
 * U+1F600
 * truncated, up to byte 12
 */
