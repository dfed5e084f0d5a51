// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Walk from a text's end, without having read what comes before. The suite examples
 * runs it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "utf8val.h"

/* Where the last count characters begin; ill-formed sequences count, too. */
static const char *last(const char *text, size_t len, size_t count)
{
	const uint8_t *start = (const uint8_t *)text, *pos = start + len;
	uint32_t cp;

	while (count > 0 && utf8val_prev(&pos, start, &cp) != UTF8VAL_END)
		count--;
	return (const char *)pos;
}

int main(void)
{
	static const char *const texts[] = {
		"/srv/Übersicht", "日本語", "a😀b", "no", "",
	};
	static const uint8_t broken[] = "x\xE4\xBD\xC3\xA9";
	const uint8_t *pos = broken + sizeof(broken) - 1;
	enum utf8val_reason reason;
	uint32_t cp;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		printf("[%s]\n", last(texts[i], strlen(texts[i]), 3));
	while ((reason = utf8val_prev(&pos, broken, &cp)) != UTF8VAL_END) {
		if (reason == UTF8VAL_OK)
			printf("%td: U+%04" PRIX32 "\n", pos - broken, cp);
		else
			printf("%td: %s\n", pos - broken, utf8val_reason_name(reason));
	}
	return 0;
}

/* Prints:
 * [cht]
 * [日本語]
 * [a😀b]
 * [no]
 * []
 * 3: U+00E9
 * 1: truncated
 * 0: U+0078
 */
