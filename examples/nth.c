// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Find characters by their number. The suite examples runs it. */
#include <stdio.h>
#include <string.h>

#include "utf8val.h"

/*
 * Where the character with this number begins, the first one being number 0; the
 * end of the text if it does not have as many. Ill-formed sequences count also.
 */
static const uint8_t *nth(const uint8_t *text, size_t len, size_t number)
{
	const uint8_t *pos = text, *end = text + len;
	uint32_t cp;

	while (number > 0 && utf8val_next(&pos, end, &cp) != UTF8VAL_END)
		number--;
	return pos;
}

int main(void)
{
	static const uint8_t text[] = "Füße 日本語 \xE4\xBD!";
	size_t len = sizeof(text) - 1;

	for (size_t number = 0; number < 16; number += 3)
		printf("%zu: byte %td\n", number, nth(text, len, number) - text);
	/* cut to 7 characters */
	printf("%.*s\n", (int)(nth(text, len, 7) - text), (const char *)text);
	return 0;
}

/* Prints:
 * 0: byte 0
 * 3: byte 5
 * 6: byte 10
 * 9: byte 17
 * 12: byte 20
 * 15: byte 20
 * Füße 日本
 */
