// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Names and long texts of all shapes with errors in all places, against the
 * oracle: for engines that take many bytes at once, whose ways through the
 * input depend on its length and on what stands where. The input lies at either
 * end of pages beside which nothing can be read. TAP on standard output.
 *
 *   texts            every check of `make check`
 *   texts --short    fewer inputs, for builds that are slow
 */
#include "guarded.h"
#include "oracle.h"

#define SIZE 32768u	/* a multiple of any page size up to this */
#define SEED 3629u

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

static uint8_t *pages;
static bool brief;

/* What the oracle's walk from sequence to sequence says of an input. */
struct walk {
	size_t units;
	size_t len;
	uint8_t replaced[3 * SIZE];
};

static void walk_units(struct walk *walk, const uint8_t *s, size_t len)
{
	size_t at = 0;

	walk->units = 0;
	walk->len = 0;
	while (at < len) {
		int32_t cp;
		size_t unit = oracle_unit(s + at, len - at, &cp);

		if (cp < 0) {
			memcpy(walk->replaced + walk->len, "\xEF\xBF\xBD", 3);
			walk->len += 3;
		} else {
			memcpy(walk->replaced + walk->len, s + at, unit);
			walk->len += unit;
		}
		walk->units++;
		at += unit;
	}
}

/* Do valid, prefix and check say what the oracle says? */
static bool verdicts(const uint8_t *s, size_t len)
{
	struct utf8val_result want = oracle_check(s, len);
	struct utf8val_result got = utf8val_check(s, len);

	return got.valid == want.valid && got.bad == want.bad &&
	       got.reason == want.reason &&
	       utf8val_prefix(s, len) == want.valid &&
	       utf8val_valid(s, len) == (want.valid == len);
}

/*
 * Check count, and replace with as much room as the result needs and with less.
 */
static bool units(const uint8_t *s, size_t len, size_t less)
{
	static struct walk walk;
	static uint8_t out[3 * SIZE + 1];
	struct utf8val_replaced done;
	size_t cap, fits;

	walk_units(&walk, s, len);
	if (utf8val_count(s, len) != walk.units ||
	    utf8val_replaced_size(s, len) != walk.len)
		return false;
	cap = walk.len;
	out[cap] = 0x5A;
	done = utf8val_replace(out, cap, s, len);
	if (done.written != cap || done.read != len ||
	    memcmp(out, walk.replaced, cap) || out[cap] != 0x5A)
		return false;
	/*
	 * Only whole characters are written, so the result is well-formed:
	 * count back from the room to where a character ends.
	 */
	cap = walk.len - (less < walk.len ? less : walk.len);
	fits = cap;
	while (fits && fits < walk.len &&
	       (walk.replaced[fits] & 0xC0u) == 0x80u)
		fits--;
	memset(out, 0x5A, walk.len + 1);
	done = utf8val_replace(out, cap, s, len);
	if (done.written != fits ||
	    utf8val_replaced_size(s + done.read, len - done.read) !=
		    walk.len - fits ||
	    memcmp(out, walk.replaced, fits))
		return false;
	for (size_t i = fits; i <= walk.len; i++)
		if (out[i] != 0x5A)
			return false;
	return true;
}

/*
 * Lay a text, repeated up to len bytes, at the end of the pages or at their
 * beginning.
 */
static uint8_t *lay(size_t len, const char *text)
{
	uint8_t *s = len & 1 ? pages : pages + SIZE - len;
	size_t period = strlen(text);

	for (size_t i = 0; i < len; i++)
		s[i] = (uint8_t)text[i % period];
	return s;
}

/* All lengths of names, up to more than twice what any engine takes at once. */
static bool names(void)
{
	for (size_t t = 0; t < TEXTS; t++) {
		/*
		 * The brief run has 49 and 97, too, where engines change to
		 * other ways.
		 */
		for (size_t len = brief; len <= 130; len += brief ? 3 : 1) {
			uint8_t *s = lay(len, texts[t]);

			if (!verdicts(s, len) || !units(s, len, len / 3))
				return false;
			for (size_t at = 0; at < len; at++) {
				uint8_t was = s[at];

				for (size_t c = 0; c < sizeof(changes); c++) {
					s[at] = changes[c];
					if (!verdicts(s, len))
						return false;
				}
				if (!units(s, len, len / 3))
					return false;
				s[at] = was;
			}
		}
	}
	return true;
}

/* A number below n: the linear congruential sequence of Numerical Recipes. */
static size_t below(uint32_t *seed, size_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

/*
 * Texts made of pieces of all shapes, of which up to three bytes are changed.
 */
static bool pieces(void)
{
	uint32_t seed = SEED;

	for (size_t i = 0; i < (brief ? 2000 : 20000); i++) {
		size_t len = i % 4 ? 131 + below(&seed, 1500) :
				     below(&seed, SIZE);
		uint8_t *s = lay(len, texts[below(&seed, TEXTS)]);
		size_t count = below(&seed, 4);
		size_t faults = below(&seed, 4);

		for (size_t at = 0; count && at < len; count--) {
			const char *text = texts[below(&seed, TEXTS)];
			size_t period = strlen(text);

			at += below(&seed, len);
			for (size_t k = 0; at < len && k < 4 * period; k++)
				s[at++] = (uint8_t)text[k % period];
		}
		for (; faults && len; faults--)
			s[below(&seed, len)] =
				changes[below(&seed, sizeof(changes))];
		if (!units(s, len, below(&seed, 100)))
			return false;
		/* The text after an error is an input as well. */
		for (size_t k = 0; k < 4; k++) {
			size_t good = oracle_check(s, len).valid;

			if (!verdicts(s, len))
				return false;
			if (good == len)
				break;
			s += good + 1;
			len -= good + 1;
		}
	}
	return true;
}

/*
 * Texts of one shape, in steps up to the size of the room; then the same with
 * an error near the end.
 */
static bool runs(void)
{
	for (size_t t = 0; t < TEXTS; t++) {
		for (size_t len = 500; len <= SIZE;
		     len += brief ? 2049 : 257) {
			uint8_t *s = lay(len, texts[t]);

			if (!verdicts(s, len) || !units(s, len, 5))
				return false;
			s[len - len / 16] ^= 0x40u;
			if (!verdicts(s, len) || !units(s, len, 5))
				return false;
		}
	}
	return true;
}

/* One to six tails in a row, wherever a part of the input may be cut off. */
static bool tails(void)
{
	const size_t len = 700;

	for (size_t t = 0; t < TEXTS; t++) {
		uint8_t *s = lay(len, texts[t]);

		for (size_t at = 0; at < 400; at += brief ? 3 : 1) {
			uint8_t was[6];

			memcpy(was, s + at, sizeof(was));
			for (size_t i = 0; i < sizeof(was); i++) {
				s[at + i] = 0xA5;
				if (!verdicts(s, len))
					return false;
			}
			memcpy(s + at, was, sizeof(was));
		}
	}
	return true;
}

/*
 * Where one shape ends and another begins, at every place of what an engine
 * takes at once: with a byte changed there, with a tail after that byte and
 * without.
 */
static bool seams(void)
{
	const size_t len = 640, from = 64, to = 320;

	for (size_t pair = 0; pair < TEXTS * TEXTS; pair++) {
		const char *front = texts[pair / TEXTS];
		const char *back = texts[pair % TEXTS];

		/*
		 * In the brief run only shapes of one and two bytes a character
		 * meet, which are the runs that mix.
		 */
		if (brief && ((uint8_t)front[0] > 0xDF ||
			      (uint8_t)back[0] > 0xDF))
			continue;
		for (size_t at = from; at < to; at++) {
			uint8_t *s = lay(len, front);

			for (size_t i = at + 1; i < len; i++)
				s[i] = (uint8_t)back[(i - at - 1) % strlen(back)];
			for (size_t c = 0; c < sizeof(changes); c++) {
				s[at] = changes[c];
				if (!verdicts(s, len))
					return false;
				s[at + 1] = 0x80;
				if (!verdicts(s, len))
					return false;
				s[at + 1] = (uint8_t)back[0];
			}
		}
	}
	return true;
}

/*
 * Every length from 131 to 1200 bytes, right before memory that cannot be read.
 */
static bool lengths(void)
{
	for (size_t t = 0; t < TEXTS; t++) {
		lay(1200, texts[t]);
		for (size_t len = 131; len <= 1200; len += brief ? 7 : 1)
			if (!verdicts(pages + SIZE - len, len))
				return false;
	}
	return true;
}

/*
 * Repair an ill-formed sequence amid a text into every size of room, from none
 * to enough.
 */
static bool rooms(void)
{
	for (size_t t = 0; t < TEXTS; t++) {
		for (size_t len = 40; len <= 640; len *= 4) {
			uint8_t *s = lay(len, texts[t]);

			s[len / 2] = 0xFF;
			/*
			 * Four ill-formed bytes become nine bytes, and a lead
			 * at the end becomes three.
			 */
			for (size_t less = 0; less <= len + 5 + 2;
			     less += brief ? 3 : 1)
				if (!units(s, len, less))
					return false;
		}
	}
	return true;
}

int main(int argc, char **argv)
{
	static const struct named_check checks[] = {
		{ "names to 130 bytes, every byte changed", names },
		{ "texts of pieces, seed 3629", pieces },
		{ "texts of one shape to 32 KiB", runs },
		{ "tails in a row", tails },
		{ "one shape after another, every byte between", seams },
		{ "lengths from 131 to 1200", lengths },
		{ "repair into every room", rooms },
	};

	brief = is_short(argc, argv);
	pages = guarded_memory(SIZE);
	return run_checks(checks, COUNT(checks), NULL);
}
