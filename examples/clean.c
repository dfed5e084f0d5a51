// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Accept text for a log, a terminal or a broker: UTF-8 without control characters. The
 * suite examples runs it.
 */
#include <stdio.h>

#include "utf8val.h"

/* U+0000, other control characters, and noncharacters. */
static bool is_refused(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) ||
	       (cp >= 0xFDD0 && cp < 0xFDF0) || (cp & 0xFFFE) == 0xFFFE;
}

/* Is this well-formed, and does it have none of these characters? */
static bool is_clean(const uint8_t *text, size_t len)
{
	const uint8_t *pos = text, *end = text + len;
	enum utf8val_reason reason;
	uint32_t cp;

	do
		reason = utf8val_next(&pos, end, &cp);
	while (reason == UTF8VAL_OK && !is_refused(cp));
	return reason == UTF8VAL_END;
}

int main(void)
{
	static const uint8_t texts[][12] = {
		"Füße", "", "a\nb", "a\x7F", "\xC2\x9Bm", "\uFDD0", "\U0010FFFF",
		"caf\xE9",
	};
	static const size_t lengths[] = { 6, 0, 3, 2, 3, 3, 4, 4 };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		puts(is_clean(texts[i], lengths[i]) ? "accepted" : "rejected");
	puts(is_clean((const uint8_t *)"a\0b", 3) ? "accepted" : "rejected");
	return 0;
}

/* Prints:
 * accepted
 * accepted
 * rejected
 * rejected
 * rejected
 * rejected
 * rejected
 * rejected
 * rejected
 */
