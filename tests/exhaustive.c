// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * All 2^32 strings of four bytes through the engine, against code point
 * arithmetic: RFC 3629, section 3 (bits of each form) and its limits.
 */
#include "../utf8val.h"

#include <stdio.h>

/* Length of the character at @s, 0 when there is none in @len bytes. */
static size_t character(const uint8_t *s, size_t len)
{
	static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t cp = s[0];
	size_t size = 1;

	if (cp >= 0xF0) {
		size = 4;
		cp -= 0xF0;
	} else if (cp >= 0xE0) {
		size = 3;
		cp -= 0xE0;
	} else if (cp >= 0xC0) {
		size = 2;
		cp -= 0xC0;
	} else if (cp >= 0x80) {
		return 0;
	}
	if (size > len)
		return 0;
	for (size_t i = 1; i < size; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return 0;
		cp = cp << 6 | (s[i] & 0x3F);
	}
	if (cp < least[size] || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
		return 0;
	return size;
}

static size_t prefix(const uint8_t *s, size_t len)
{
	size_t at = 0;

	while (at < len) {
		size_t size = character(s + at, len - at);

		if (!size)
			break;
		at += size;
	}
	return at;
}

int main(void)
{
	union {
		uint32_t word;
		uint8_t byte[4];
	} s;

	s.word = 0;
	do {
		size_t want = prefix(s.byte, 4);
		size_t got = utf8val_prefix(s.byte, 4);

		if (got != want) {
			printf("# %02X %02X %02X %02X: want %zu, got %zu\n",
			       s.byte[0], s.byte[1], s.byte[2], s.byte[3], want,
			       got);
			return 1;
		}
	} while (++s.word);
	return 0;
}
