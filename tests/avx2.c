// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The command's check by vectors against the core, which is proved; TAP on standard
 * output.
 *
 *   avx2            every check
 *   avx2 --short    fewer strings, for all builds but one
 */
#include "../tools/command/check/vector.h"

#include "../utf8val.h"
#include "guarded.h"

#define SIZE 4096
#define LEN 160		/* two edges, 64 bytes between, and half as many */
#define LONGEST 4

/* The input, between two pages that cannot be read. */
static uint8_t *room;
static bool brief;

/* Characters of one to four bytes, which fill the text around a string. */
static const char *const letters[] = {
	"a", "\xC3\xA9", "\xE4\xB8\x96", "\xF0\x9F\x98\x80",
};

static bool differ(const uint8_t *s, size_t len, bool want)
{
	printf("# want %s:", want ? "good" : "bad");
	for (size_t i = 0; i < len; i++)
		printf(" %02X", s[i]);
	printf("\n");
	return false;
}

static bool same(const uint8_t *s, size_t len)
{
	bool want = utf8val_valid(s, len);

	return vector_valid(s, len) == want || differ(s, len, want);
}

/*
 * Compare the two checks with the bytes at the end of what can be read, and at
 * its beginning.
 */
static bool same_at_guards(const uint8_t *s, size_t len)
{
	uint8_t *end = room + SIZE - len;

	memcpy(end, s, len);
	if (!same(end, len))
		return false;
	memcpy(room, s, len);
	return same(room, len);
}

/*
 * Fill a text with one letter again and again, and with ASCII before the
 * letters where a whole number of them does not fit.
 */
static void fill(uint8_t *s, size_t len, const char *letter)
{
	size_t size = strlen(letter);

	for (; len % size; len--)
		*s++ = 'a';
	for (; len; len -= size, s += size)
		memcpy(s, letter, size);
}

static uint64_t scatter(uint64_t number)
{
	/* splitmix64 */
	number += 0x9E3779B97F4A7C15;
	number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9;
	number = (number ^ number >> 27) * 0x94D049BB133111EB;
	return number ^ number >> 31;
}

/*
 * All strings of a number of these bytes, with what has to stand before and
 * after each string, inside well-formed text: at every place of the text, or at
 * one place for each string and kind of text. The text is whole characters, so
 * the string alone decides.
 */
static bool strings(const uint8_t *bytes, size_t count, size_t chosen,
		    const char *before, const char *after, bool everywhere)
{
	static uint8_t texts[LEN][LEN];
	const size_t begin = strlen(before), tail = begin + chosen;
	const size_t size = tail + strlen(after);
	const size_t places = LEN - size + 1;
	size_t all = 1;

	for (size_t i = 0; i < chosen; i++)
		all *= count;
	for (size_t kind = 0; kind < COUNT(letters); kind++) {
		for (size_t at = 0; at < places; at++) {
			fill(texts[at], at, letters[kind]);
			fill(texts[at] + at + size, LEN - at - size,
			     letters[kind]);
		}
		for (size_t i = 0; i < all; i++) {
			size_t at = everywhere ? 0 :
				    scatter(kind * all + i) % places;
			size_t end = everywhere ? places : at + 1;
			uint8_t string[LONGEST];
			bool want;

			memcpy(string, before, begin);
			for (size_t j = begin, left = i; j < tail; j++) {
				string[j] = bytes[left % count];
				left /= count;
			}
			memcpy(string + tail, after, size - tail);
			want = utf8val_valid(string, size);
			for (; at < end; at++) {
				uint8_t *text = texts[at];

				memcpy(text + at, string, size);
				if (vector_valid(text, LEN) != want)
					return differ(text, LEN, want);
			}
		}
	}
	return true;
}

static uint8_t every[256];

/*
 * The first and the last byte of each range in RFC 3629, section 4, and those
 * before and after it.
 */
static const uint8_t bounds[] = {
	0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
	0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
};

/*
 * The tables tell more bytes apart than the RFC does, so all pairs of bytes are
 * tried, at every place of a character.
 */
static bool two_bytes(void)
{
	static const struct {
		const char *before, *after;
	} around[] = {
		{ "", "" }, { "", "\x80" }, { "", "\x80\x80" },
		{ "\xE1", "" }, { "\xF1", "" }, { "\xF1", "\x80" },
		{ "\xF1\x80", "" },
	};

	for (size_t i = 0; i < COUNT(around); i++)
		if (!strings(every, sizeof(every), 2, around[i].before,
			     around[i].after, false))
			return false;
	return true;
}

static bool three_bytes(void)
{
	return brief ? strings(bounds, sizeof(bounds), 3, "", "", true) :
		       strings(every, sizeof(every), 3, "", "", false);
}

static bool four_bytes(void)
{
	return strings(bounds, sizeof(bounds), LONGEST, "", "", !brief);
}

/* Texts that begin and end with a part of a letter. */
static bool parts(void)
{
	uint8_t text[5 * 64];

	for (size_t kind = 0; kind < COUNT(letters); kind++) {
		size_t size = strlen(letters[kind]);

		for (size_t ascii = 0; ascii < 2 * size; ascii++) {
			memset(text, 'a', ascii);
			fill(text + ascii, (sizeof(text) - ascii) / size * size,
			     letters[kind]);
			for (size_t len = 0; len < 4 * 64 + 5; len++)
				for (size_t skip = 0; skip < size; skip++)
					if (!same_at_guards(text + skip, len))
						return false;
		}
	}
	return true;
}

/* A text that ends with a part of a letter, then nothing but ASCII. */
static bool before_ascii(void)
{
	uint8_t text[5 * 64];

	for (size_t kind = 0; kind < COUNT(letters); kind++) {
		for (size_t len = 0; len < 4 * 64; len++) {
			memset(text, 'a', sizeof(text));
			for (size_t part = 1; part <= strlen(letters[kind]);
			     part++) {
				memcpy(text + len, letters[kind], part);
				if (!same_at_guards(text, sizeof(text)))
					return false;
			}
		}
	}
	return true;
}

static uint64_t state = 3629;

static size_t below(size_t limit)
{
	return scatter(state++) % limit;
}

/* Runs of letters of all kinds, of which up to two bytes are changed. */
static bool changed(void)
{
	const unsigned int rounds = brief ? 50000 : 1000000;
	unsigned int good = 0;
	uint8_t text[1024];

	for (unsigned int i = 0; i < rounds; i++) {
		size_t limit = below(sizeof(text)), len = 0;

		while (len < limit) {
			const char *letter = letters[below(COUNT(letters))];
			size_t run = below(4) ? 1 + below(8) : below(200);

			for (; run && len + strlen(letter) <= limit; run--) {
				memcpy(text + len, letter, strlen(letter));
				len += strlen(letter);
			}
			if (run)
				break;
		}
		for (size_t change = below(3); change && len; change--) {
			size_t at = below(len), bit = below(9);

			if (bit < 8)
				text[at] ^= (uint8_t)(1u << bit);
			else	/* remove one byte */
				memmove(text + at, text + at + 1, --len - at);
		}
		if (!same_at_guards(text, len))
			return false;
		good += utf8val_valid(text, len);
	}
	printf("# %u of %u are good\n", good, rounds);
	return good > rounds / 4 && good < rounds / 4 * 3;
}

int main(int argc, char **argv)
{
	static const struct named_check checks[] = {
		{ "two bytes of a character, among good text", two_bytes },
		{ "three bytes among good text", three_bytes },
		{ "four bytes at the bounds of ranges, among good text",
		  four_bytes },
		{ "parts of letters at both ends, up to 260 bytes", parts },
		{ "a part of a letter before ASCII", before_ascii },
		{ "letters with bytes changed, seed 3629", changed },
	};

	brief = is_short(argc, argv);
	room = guarded_memory(SIZE);
	for (size_t i = 0; i < sizeof(every); i++)
		every[i] = (uint8_t)i;
	return run_checks(checks, COUNT(checks),
			  vector_usable() ? NULL : "this processor has no AVX2");
}
