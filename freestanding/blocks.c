// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Tests of engines that read blocks of sixteen bytes, beyond the shared tests. The inputs
 * are sequences at all positions around the borders of blocks, between characters of each
 * length, and texts at the edges of memory. TAP over semihosting; the exit status is
 * that of selftest.c.
 */
#include "../engine/engine.h"
#include "../tests/oracle.h"
#include "boot.h"

#include "points.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ROOM 96

struct text {
	uint8_t bytes[4];
	uint8_t len;
};

/*
 * Good text, CHARACTERS of each length; then each way to be wrong, the first and the last
 * of each kind, some of them cut off.
 */
#define CHARACTERS 5
static const struct text texts[] = {
	{ { 0x41 }, 1 },
	{ { 0xD0, 0xB6 }, 2 },
	{ { 0xE0, 0xA4, 0x95 }, 3 },
	{ { 0xF0, 0x9F, 0x98, 0x80 }, 4 },
	/* NUL has no bit that could hide a neighbour's bit where an engine combines them */
	{ { 0x00 }, 1 },
	{ { 0x80 }, 1 }, { { 0xBF }, 1 }, { { 0xC0 }, 1 }, { { 0xC2 }, 1 },
	{ { 0xDF }, 1 }, { { 0xE1 }, 1 }, { { 0xF1 }, 1 }, { { 0xF5 }, 1 },
	{ { 0xFF }, 1 },
	{ { 0xC0, 0x80 }, 2 }, { { 0xC1, 0xBF }, 2 }, { { 0xC2, 0xC2 }, 2 },
	{ { 0xE1, 0x80 }, 2 }, { { 0xEF, 0xBF }, 2 }, { { 0xF1, 0x80 }, 2 },
	{ { 0x80, 0x80 }, 2 },
	{ { 0xC2, 0x80, 0x80 }, 3 }, { { 0xE0, 0x80, 0x80 }, 3 },
	{ { 0xE0, 0x9F, 0xBF }, 3 }, { { 0xED, 0xA0, 0x80 }, 3 },
	{ { 0xED, 0xBF, 0xBF }, 3 }, { { 0xF0, 0x90, 0x80 }, 3 },
	{ { 0xF4, 0x8F, 0xBF }, 3 },
	{ { 0xE1, 0x80, 0x80, 0x80 }, 4 }, { { 0xEF, 0xBF, 0xBF, 0xBF }, 4 },
	{ { 0xF0, 0x80, 0x80, 0x80 }, 4 }, { { 0xF0, 0x8F, 0xBF, 0xBF }, 4 },
	{ { 0xF4, 0x90, 0x80, 0x80 }, 4 }, { { 0xF4, 0xBF, 0xBF, 0xBF }, 4 },
	{ { 0xF5, 0x80, 0x80, 0x80 }, 4 }, { { 0xFF, 0x80, 0x80, 0x80 }, 4 },
	{ { 0xF1, 0x80, 0x80, 0xC2 }, 4 },
};

static uint8_t room[ROOM + 32] __attribute__((aligned(16)));
/* of what was tried since the last point */
static size_t good, bad;

static void say(const char *what, size_t number)
{
	boot_puts(what);
	boot_putu(number);
}

/* Both answers must have been there, or the check was none. */
static void tried(bool ok, const char *name)
{
	point(ok && good && bad, name, "");
	say("# well-formed: ", good);
	say(", not: ", bad);
	boot_puts("\n");
	good = 0;
	bad = 0;
}

/*
 * Fill @len bytes with one character, and with ASCII at one end, where the character does
 * not fit.
 */
static void fill(uint8_t *to, size_t len, const struct text *character, bool ascii_first)
{
	size_t rest = len % character->len;
	uint8_t *ascii = ascii_first ? to : to + len - rest;

	if (ascii_first)
		to += rest;
	for (size_t i = 0; i < len - rest; i++)
		to[i] = character->bytes[i % character->len];
	for (size_t i = 0; i < rest; i++)
		ascii[i] = 0x41;
}

/* Good text is passed by blocks alone, except for up to two bytes after the first. */
static bool passed(const uint8_t *s, size_t len)
{
	if (len < UTF8VAL_BLOCK)
		return true;
	if (len < UTF8VAL_BLOCK + 3)
		len = UTF8VAL_BLOCK;
	return utf8val_pass_blocks(s, len) == len;
}

/* The core's answer for @len bytes, of which the first @at are known to be good. */
static bool same(const uint8_t *s, size_t len, size_t at)
{
	struct utf8val_result want = oracle_check(s + at, len - at);
	struct utf8val_result got = utf8val_check(s, len);
	bool valid = want.reason == UTF8VAL_OK;

	want.valid += at;
	if (valid)
		good++;
	else
		bad++;
	if (got.valid == want.valid && got.bad == want.bad && got.reason == want.reason &&
	    utf8val_valid(s, len) == valid && (!valid || passed(s, len)))
		return true;
	say("# length ", len);
	say(", from ", at);
	say(": want ", want.valid);
	say(" ", want.bad);
	say(" ", want.reason);
	say(", got ", got.valid);
	say(" ", got.bad);
	say(" ", got.reason);
	boot_puts("\n");
	return false;
}

/* A sequence with good text before and after it. */
static bool between(uint8_t *s, size_t len, size_t at, const struct text *text,
		    const struct text *around)
{
	fill(s, at, around, true);
	for (size_t i = 0; i < text->len; i++)
		s[at + i] = text->bytes[i];
	at += text->len;
	fill(s + at, len - at, around, false);
	return same(s, len, at - text->len);
}

/* Up to the third block, which is whole or begins within the second. */
static bool everywhere(const struct text *text, size_t align)
{
	bool ok = true;

	for (size_t around = 0; around < CHARACTERS; around++)
		for (size_t at = 0; at <= 33; at++)
			ok &= between(room + align, 37 + at % 2 * 11, at, text,
				      &texts[around]);
	return ok;
}

static bool mistakes_everywhere(void)
{
	bool ok = true;

	for (size_t align = 0; align < 16; align++)
		for (size_t i = 0; i < COUNT(texts); i++)
			ok &= everywhere(&texts[i], align);
	return ok;
}

/* The mistake ends the text, and beyond the end lie tails that would complete it. */
static bool last_of_text(const struct text *text)
{
	bool ok = true;

	for (size_t at = 0; at <= 67; at++) {
		size_t len = at + text->len;

		for (size_t i = 0; i < 4; i++)
			room[len + i] = 0x80;
		for (size_t i = 0; i < CHARACTERS; i++)
			ok &= between(room, len, at, text, &texts[i]);
	}
	return ok;
}

static bool mistakes_at_end(void)
{
	bool ok = true;

	for (size_t i = 0; i < COUNT(texts); i++)
		ok &= last_of_text(&texts[i]);
	return ok;
}

/* All pairs of bytes, within a block and across a border. */
static bool every_pair(void)
{
	bool ok = true;

	for (unsigned int pair = 0; pair < 0x10000; pair++) {
		struct text text = { { (uint8_t)(pair >> 8), (uint8_t)pair },
				     2 };

		ok &= between(room, 35, 15, &text, &texts[0]) &&
		      between(room, 35, 21, &text, &texts[2]);
	}
	return ok;
}

/* Every lead with every second byte, and all the tails that it wants. */
static bool every_second(void)
{
	bool ok = true;

	for (unsigned int lead = 0xC0; lead <= 0xFF; lead++) {
		uint8_t len = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;

		for (unsigned int tail = 0x80; tail <= 0xBF; tail++) {
			struct text text = { { (uint8_t)lead, (uint8_t)tail,
					       0x80, 0xBF }, len };

			ok &= between(room, 48, 15, &text, &texts[0]);
		}
	}
	return ok;
}

/* The edges of each class, two and three at a time, at the borders of blocks. */
static bool every_edge(void)
{
	static const uint8_t places[] = { 0, 1, 13, 14, 15, 16, 29, 30, 31 };
	const size_t n = utf8val_edge_count;
	bool ok = true;

	for (size_t i = 0; i < n * n * n; i++) {
		struct text text = { { utf8val_edges[i / n / n],
				       utf8val_edges[i / n % n],
				       utf8val_edges[i % n] }, 3 };

		for (size_t j = 0; j < COUNT(places); j++)
			ok &= between(room, 48, places[j], &text, &texts[3]);
	}
	return ok;
}

/* Beside memory that faults, whole and cut off. */
static bool at_edge(uint8_t *low, uint8_t *high)
{
	bool ok = true;

	for (size_t i = 0; i < CHARACTERS; i++) {
		for (size_t len = 0; len < 100; len++) {
			uint8_t *s = low ? low : high - len;

			fill(s, len, &texts[i], true);
			ok &= same(s, len, 0);
			if (len == 0)
				continue;
			/* a lead whose tails would lie outside the text */
			s[len - 1] = 0xE1;
			ok &= same(s, len, 0);
			s[0] = 0x80;
			ok &= same(s, len, 0);
		}
	}
	return ok;
}

int main(void)
{
	boot_puts("1..7\n");
	tried(mistakes_everywhere(), "mistakes at 0 to 33, at every alignment");
	tried(mistakes_at_end(), "mistakes at the end");
	tried(every_pair(), "every pair of bytes, also across a border");
	tried(every_second(), "every lead with every second byte");
	tried(every_edge(), "edges of classes, across borders");
	tried(at_edge(boot_low_edge(), NULL), "nothing before the input is read");
	tried(at_edge(NULL, boot_high_edge()), "nothing after the input is read");
	return failed ? 1 : 0;
}
