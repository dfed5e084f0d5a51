// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What hardly anybody writes, in a charset of single bytes. */
#include "guess/spelling.h"

#include "guess/data.h"
#include "guess/model.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* "he" in Hungarian, "into" in Lithuanian */
#define LONG_O_CAPITAL 0x150
#define LONG_O 0x151
#define I_OGONEK_CAPITAL 0x12E
#define I_OGONEK 0x12F
#define LOW_QUOTE 0x201A
#define HIGH_QUOTE 0x2018
#define LOW_QUOTES 0x201E
#define HIGH_QUOTES 0x201C
#define SHORT_U_CAPITAL 0x40E
#define SHORT_U 0x45E
#define FINAL_SIGMA 0x3C2

/* letters that are the one before, or the one before that, in turn */
#define SAME_LETTERS 3
#define SAME_PAIRS 6

/* what comes in pairs: the first half, and what the second one can be */
static const struct {
	char16_t first, second, other_second;
} pairs[] = {
	{ 0xA1, '!', '!' },		/* of Spanish */
	{ 0xBF, '?', '?' },
	{ 0xAB, 0xBB, 0xBB },
	{ LOW_QUOTE, HIGH_QUOTE, 0x2019 },	/* German's, and others' */
	{ HIGH_QUOTES, 0x201D, 0x201D },
	{ LOW_QUOTES, HIGH_QUOTES, 0x201D },
};

static char16_t char_at(unsigned int charset, const uint8_t *name, size_t at)
{
	if (name[at] < 0x80)
		return name[at];
	return data_charset(charset)->chars[name[at] - 0x80];
}

bool spelling_closes(unsigned int charset, const uint8_t *name, size_t at)
{
	if (char_at(charset, name, at) != HIGH_QUOTES)
		return false;
	while (at--) {
		if (char_at(charset, name, at) == LOW_QUOTES)
			return true;
	}
	return false;
}

/* Does the first half of a pair stand here, and no second one after it? */
static bool lacks_second(unsigned int charset, const uint8_t *name, size_t len, size_t at)
{
	char16_t c = char_at(charset, name, at);
	size_t i = 0;

	while (i < COUNT(pairs) && pairs[i].first != c)
		i++;
	if (i == COUNT(pairs))
		return false;
	if (spelling_closes(charset, name, at))
		return false;
	while (++at < len) {
		c = char_at(charset, name, at);
		if (c == pairs[i].second || c == pairs[i].other_second)
			return false;
	}
	return true;
}

static bool is_greek(char16_t c)
{
	return c >= 0x386 && c <= 0x3CE && c != 0x387;
}

/* A Greek vowel with the one accent that a word has. */
static bool has_tonos(char16_t c)
{
	return (c >= 0x386 && c <= 0x390 && c != 0x387) ||
	       (c >= 0x3AC && c <= 0x3B0) || (c >= 0x3CC && c <= 0x3CE);
}

static bool is_cyrillic(char16_t c)
{
	return c >= 0x400 && c <= 0x45F;
}

/* of Russian, Belarusian and Ukrainian */
static bool is_cyrillic_vowel(char16_t c)
{
	return is_one_of(u"АЕИОУЫЭЮЯаеиоуыэюяЁІЄЇёієї", c);
}

/*
 * Does a Latin letter stand alone where none is a word: one that is not so in any
 * language, or a capital after a word in small letters? Then it was a dash or a
 * quote in another charset. An initial has a full stop, and a name all in capitals
 * may have words of one letter.
 */
static bool is_lone_letter(unsigned int charset, const uint8_t *name,
			   size_t len, size_t at)
{
	const uint8_t *kinds = data_kinds[charset];
	char16_t c = char_at(charset, name, at);
	size_t before = at;

	/* what is before an extension */
	len = stem_length(name, len);
	if (c < 0xC0 || c >= 0x250 || !is_letter(kinds[name[at]]) || !at ||
	    name[at - 1] != ' ' ||
	    (at + 1 < len && (name[at + 1] == '.' || is_letter(kinds[name[at + 1]]))))
		return false;
	if (c >= 0x100 && c != LONG_O && c != LONG_O_CAPITAL && c != I_OGONEK &&
	    c != I_OGONEK_CAPITAL)
		return true;
	if (kinds[name[at]] != UPPER)
		return false;
	while (before && name[before - 1] == ' ')
		before--;
	return before && kinds[name[before - 1]] == LOWER;
}

/* A quotation mark in place of an apostrophe, but after a word, where none stands. */
static bool is_stray_quote(unsigned int charset, const uint8_t *name, size_t len,
			   size_t at)
{
	const uint8_t *kinds = data_kinds[charset];

	return char_at(charset, name, at) == HIGH_QUOTE && at &&
	       is_letter(kinds[name[at - 1]]) &&
	       !(at + 1 < len && is_letter(kinds[name[at + 1]]));
}

/*
 * Does one letter come four times in turn, or one after another and again, as no
 * word has it? A line that was drawn in another charset looks like this.
 */
static bool is_drawn(unsigned int charset, const uint8_t *name, size_t len)
{
	unsigned int same = 0, again = 0;

	for (size_t i = 1; i < len; i++) {
		bool letter = name[i] >= 0x80 && is_letter(data_kinds[charset][name[i]]);

		same = letter && name[i] == name[i - 1] ? same + 1 : 0;
		again = letter && i > 1 && name[i] == name[i - 2] ? again + 1 : 0;
		if (same == SAME_LETTERS || again == SAME_PAIRS)
			return true;
	}
	return false;
}

bool spelling_is_odd(unsigned int charset, const uint8_t *name, size_t len)
{
	unsigned int accents = 0;
	char16_t before = ' ';
	bool quoted = false;

	if (is_drawn(charset, name, len))
		return true;
	for (size_t i = 0; i < len; i++) {
		char16_t c = char_at(charset, name, i);

		if (is_lone_letter(charset, name, len, i))
			return true;
		/* ASCII, and Latin letters: none of the rest is about them */
		if (c < 0x80 || (c >= 0xC0 && c < 0x250)) {
			accents = 0;
			before = c;
			continue;
		}
		quoted |= c == LOW_QUOTE;
		if (lacks_second(charset, name, len, i) ||
		    (!quoted && is_stray_quote(charset, name, len, i)))
			return true;
		accents = is_greek(c) ? accents + has_tonos(c) : 0;
		if (accents > 1 || (before == FINAL_SIGMA && is_greek(c)))
			return true;
		if ((c == SHORT_U || c == SHORT_U_CAPITAL) &&
		    is_cyrillic(before) && !is_cyrillic_vowel(before))
			return true;
		before = c;
	}
	return false;
}
