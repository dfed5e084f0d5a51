// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The speed of the engine that reads blocks of sixteen bytes: it skips well-formed text by
 * blocks alone. A block that it rejects wrongly costs time, and changes no answer, so the
 * shared tests do not see it. TAP over semihosting; the suite firmware-an547-mve-blocks
 * runs this.
 */
#include "../engine/engine.h"
#include "boot.h"

#include "points.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The first and the last character of each row of RFC 3629's grammar. */
static const struct character {
	uint8_t bytes[4];
	uint8_t len;
} characters[] = {
	{ { 0x00 }, 1 }, { { 0x7F }, 1 },
	{ { 0xC2, 0x80 }, 2 }, { { 0xDF, 0xBF }, 2 },
	{ { 0xE0, 0xA0, 0x80 }, 3 }, { { 0xE0, 0xBF, 0xBF }, 3 },
	{ { 0xE1, 0x80, 0x80 }, 3 }, { { 0xEC, 0xBF, 0xBF }, 3 },
	{ { 0xED, 0x80, 0x80 }, 3 }, { { 0xED, 0x9F, 0xBF }, 3 },
	{ { 0xEE, 0x80, 0x80 }, 3 }, { { 0xEF, 0xBF, 0xBF }, 3 },
	{ { 0xF0, 0x90, 0x80, 0x80 }, 4 }, { { 0xF0, 0xBF, 0xBF, 0xBF }, 4 },
	{ { 0xF1, 0x80, 0x80, 0x80 }, 4 }, { { 0xF3, 0xBF, 0xBF, 0xBF }, 4 },
	{ { 0xF4, 0x80, 0x80, 0x80 }, 4 }, { { 0xF4, 0x8F, 0xBF, 0xBF }, 4 },
};

/* Write characters of one kind, as many as begin before @end. Returns: where they end. */
static size_t fill(size_t at, size_t end, const struct character *character)
{
	while (at < end)
		for (size_t i = 0; i < character->len; i++)
			scratch[at++] = character->bytes[i];
	return at;
}

/*
 * Is text of one kind before @border, and of another kind after it, passed by blocks? Up to
 * two bytes after the first block are left to the compact engine.
 */
static bool passed(const struct character *before, const struct character *after,
		   size_t border, size_t len)
{
	len = fill(fill(0, border, before), len, after);
	if (len < UTF8VAL_BLOCK + 3)
		len = UTF8VAL_BLOCK;
	return utf8val_pass_blocks(scratch, len) == len;
}

static bool all_passed(size_t len)
{
	bool ok = true;

	for (size_t i = 0; i < COUNT(characters) * COUNT(characters); i++)
		for (size_t border = 0; border <= len; border++)
			ok &= passed(&characters[i / COUNT(characters)],
				     &characters[i % COUNT(characters)], border, len);
	return ok;
}

int main(void)
{
	static const size_t lengths[] = { 16, 17, 18, 19, 31, 32, 33, 48, 61, 80 };

	boot_puts("1..10\n");
	for (size_t i = 0; i < COUNT(lengths); i++) {
		boot_puts("# length ");
		boot_putu(lengths[i]);
		boot_puts("\n");
		point(all_passed(lengths[i]), "text of two kinds is passed by blocks", "");
	}
	return failed ? 1 : 0;
}
