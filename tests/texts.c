// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Names and long texts of all shapes with errors in all places, against the oracle.
 * They are for engines that take many bytes at once, whose ways through the input
 * depend on its length and content. host.c calls them. The input lies at either end of
 * pages beside which nothing can be read.
 */
#include <string.h>

#include "guarded.h"
#include "oracle.h"

#define SIZE 69000u	/* more than 64 KiB */

/*
 * Each text has a shape of its own; the last ones are mixed. Repeated and then
 * cut at some length, the texts end inside a character at most lengths.
 */
static const char *const texts[] = {
	"plain text, 7 bits a byte",
	"\u043F\u0440\u0438\u0432\u0435\u0442\u07FF\u00A0",
	"\u4F60\uD7FF\uFFFF\u0800\uFFFD\u4E16\uD55C\uE000",
	"\U0001F600\U0010FFFF\U00010000\U000FFFFF",
	"Gr\u00FC\u00DFe nach K\u00F6ln und zur\u00FCck, ohne Eile",
	"\uD55C\uAD6D\uC5B4 \uBB38\uC7A5\uC740 \uC9E7\uB2E4. ",
	"\U0001F469\u200D\U0001F4BB a \u00E9 \u20AC\u20AC \U0001F600 ",
	"the first 32 bytes and more are plain \u4F60\u597D\uFF0C\u4E16\u754C",
	"\u4F60\u597D\uFF0C\u4E16\u754C and the next 32 bytes or so are plain",
};

#define TEXTS COUNT(texts)

/*
 * The bytes that another byte is changed to: a tail, leads of all kinds, and
 * bytes that fit nowhere.
 */
static const uint8_t changes[] = {
	'A', 0x80, 0xBF, 0xC1, 0xC3, 0xE0, 0xE4, 0xED, 0xF0, 0xF4, 0xFF
};

/* Check count and repair of one string where it lies. */
static bool units(struct run *run, const uint8_t *s, size_t len, size_t less)
{
	static _Thread_local uint8_t room[6 * SIZE + 8];

	return utf8val_check_repair(s, len, less, room, &run->failure) ||
	       wrong(run, s, len);
}

/* Check the verdicts of one string where it lies. */
static bool verdicts(struct run *run, const uint8_t *s, size_t len)
{
	return utf8val_check_whole(s, len, oracle_check(s, len), &run->failure) ||
	       wrong(run, s, len);
}

/* Lay a text, repeated up to len bytes, at the end of the pages or at their beginning. */
static uint8_t *lay(struct run *run, size_t len, const char *text)
{
	uint8_t *s = len & 1 ? run->arena.low : run->arena.high - len;
	size_t period = strlen(text);

	for (size_t i = 0; i < len; i++)
		s[i] = (uint8_t)text[i % period];
	return s;
}

/* Check a name, and with each byte changed. */
static bool every_change(struct run *run, uint8_t *s, size_t len)
{
	if (!verdicts(run, s, len) || !units(run, s, len, len / 3))
		return false;
	for (size_t at = 0; at < len; at++) {
		uint8_t was = s[at];

		for (size_t c = 0; c < sizeof(changes); c++) {
			s[at] = changes[c];
			if (!verdicts(run, s, len))
				return false;
		}
		if (!units(run, s, len, len / 3))
			return false;
		s[at] = was;
	}
	return true;
}

/* All lengths of names, up to more than twice what any engine takes at once. */
static bool names(struct run *run)
{
	for (size_t t = 0; t < TEXTS; t++)
		/* Steps of three include 49 and 97, where engines change to other ways. */
		for (size_t len = !exhaustive; len <= 130; len += exhaustive ? 1 : 3)
			if (is_mine(run, 1) &&
			    !every_change(run, lay(run, len, texts[t]), len))
				return false;
	return true;
}

static size_t below(uint64_t *state, size_t n)
{
	return (size_t)(random_next(state) >> 32) % n;
}

/* Texts made of pieces of all shapes, of which up to three bytes are changed. */
static bool pieces(struct run *run)
{
	for (unsigned int i = 0; i < (exhaustive ? 20000 : 2000); i++) {
		uint64_t state = random_seed(i);
		size_t len = i % 4 ? 131 + below(&state, 1500) : below(&state, SIZE / 2);
		size_t count = below(&state, 4);
		size_t faults = below(&state, 4);
		uint8_t *s;

		if (!is_mine(run, 1))
			continue;
		s = lay(run, len, texts[below(&state, TEXTS)]);
		for (size_t at = 0; count && at < len; count--) {
			const char *text = texts[below(&state, TEXTS)];
			size_t period = strlen(text);

			at += below(&state, len);
			for (size_t k = 0; at < len && k < 4 * period; k++)
				s[at++] = (uint8_t)text[k % period];
		}
		for (; faults && len; faults--)
			s[below(&state, len)] = changes[below(&state, sizeof(changes))];
		if (!units(run, s, len, below(&state, 100)))
			return false;
		/* The text after an error is an input as well. */
		for (size_t k = 0; k < 4; k++) {
			size_t good = oracle_check(s, len).valid;

			if (!verdicts(run, s, len))
				return false;
			if (good == len)
				break;
			s += good + 1;
			len -= good + 1;
		}
	}
	return true;
}

/* Check all functions on one text where it lies. */
static bool whole(struct run *run, const uint8_t *s, size_t len)
{
	return verdicts(run, s, len) && units(run, s, len, 5) &&
	       (utf8val_check_units(s, len, &run->failure) || wrong(run, s, len));
}

/*
 * Texts of one shape, each longer than the one before, up to the size of the room; then
 * the same with an error near the end.
 */
static bool runs(struct run *run)
{
	for (size_t t = 0; t < TEXTS; t++) {
		size_t odd = t % 2, len = 516 + odd;

		/* The even lengths lie at the end of the pages, the odd ones at their beginning. */
		for (; len <= SIZE; len = (exhaustive ? len / 2 + len / 32 : len) * 2 - odd) {
			uint8_t *s;

			if (!is_mine(run, 2))
				continue;
			s = lay(run, len, texts[t]);
			if (!whole(run, s, len))
				return false;
			s[len - len / 16] ^= 0x40u;
			if (!whole(run, s, len))
				return false;
		}
	}
	return true;
}

/* One to six tails in a row, wherever a part of the input may be cut off. */
static bool tails(struct run *run)
{
	const size_t len = 700;

	for (size_t t = 0; t < TEXTS; t++) {
		uint8_t *s = lay(run, len, texts[t]);

		for (size_t at = 0; at < 400; at += exhaustive ? 1 : 3) {
			uint8_t was[6];

			if (!is_mine(run, sizeof(was)))
				continue;
			memcpy(was, s + at, sizeof(was));
			for (size_t i = 0; i < sizeof(was); i++) {
				s[at + i] = 0xA5;
				if (!verdicts(run, s, len))
					return false;
			}
			memcpy(s + at, was, sizeof(was));
		}
	}
	return true;
}

/*
 * Where one shape ends and another begins, at every place of what an engine takes at
 * once. A byte is changed there, with a tail after that byte and without.
 */
static bool seams(struct run *run)
{
	const size_t len = 640, from = 64, to = 320;

	for (size_t pair = 0; pair < TEXTS * TEXTS; pair++) {
		const char *front = texts[pair / TEXTS];
		const char *back = texts[pair % TEXTS];

		/* Shapes of one and two bytes a character are the runs that mix. */
		if (!exhaustive && ((uint8_t)front[0] > 0xDF || (uint8_t)back[0] > 0xDF))
			continue;
		for (size_t at = from; at < to; at++) {
			uint8_t *s;

			if (!is_mine(run, 2 * sizeof(changes)))
				continue;
			s = lay(run, len, front);
			for (size_t i = at + 1; i < len; i++)
				s[i] = (uint8_t)back[(i - at - 1) % strlen(back)];
			for (size_t c = 0; c < sizeof(changes); c++) {
				s[at] = changes[c];
				if (!verdicts(run, s, len))
					return false;
				s[at + 1] = 0x80;
				if (!verdicts(run, s, len))
					return false;
				s[at + 1] = (uint8_t)back[0];
			}
		}
	}
	return true;
}

/* Every length from 131 to 1200 bytes, right before memory that cannot be read. */
static bool lengths(struct run *run)
{
	for (size_t t = 0; t < TEXTS; t++) {
		lay(run, 1200, texts[t]);
		for (size_t len = 131; len <= 1200; len += exhaustive ? 1 : 7)
			if (is_mine(run, 1) && !verdicts(run, run->arena.high - len, len))
				return false;
	}
	return true;
}

/*
 * Repair an ill-formed sequence amid a text into every size of room, from none to enough.
 */
static bool rooms(struct run *run)
{
	for (size_t t = 0; t < TEXTS; t++) {
		for (size_t len = 40; len <= 640; len *= 4) {
			uint8_t *s = lay(run, len, texts[t]);

			s[len / 2] = 0xFF;
			/*
			 * Four ill-formed bytes become nine bytes, and a lead
			 * at the end becomes three.
			 */
			for (size_t less = 0; less <= len + 5 + 2; less += exhaustive ? 1 : 3)
				if (is_mine(run, 1) && !units(run, s, len, less))
					return false;
		}
	}
	return true;
}

const struct guarded_check text_checks[] = {
	{ "names to 130 bytes, every byte changed", names },
	{ "texts of pieces", pieces },
	{ "texts of one shape to 64 KiB and more", runs },
	{ "tails in a row", tails },
	{ "one shape after another, every byte between", seams },
	{ "lengths from 131 to 1200", lengths },
	{ "repair into every room", rooms },
};

const size_t text_check_count = COUNT(text_checks);
