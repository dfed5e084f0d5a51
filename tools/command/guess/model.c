// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The cost of a name in each candidate decoding (charset and language). guess/guess.c
 * compares the costs. Without it, no row of bench-guess has a guess.
 */
#include "guess/model.h"

#include <pthread.h>

#include "guess/asia.h"
#include "guess/confidence.h"
#include "guess/data.h"
#include "guess/letters.h"
#include "guess/words.h"

/* charsets that make the same of a byte as another, as bits */
static uint64_t same_as[256][MODEL_CHARSETS];

static void init(void)
{
	data_init();
	reading_init();
	letters_init();
	confidence_init();
	words_init();
	for (unsigned int a = 1; a <= MODEL_SINGLE; a++) {
		for (unsigned int b = 1; b <= MODEL_SINGLE; b++) {
			const char16_t *of_a = data_charset(a)->chars;
			const char16_t *of_b = data_charset(b)->chars;

			for (unsigned int i = 0; i < 128; i++)
				same_as[i + 0x80][a] |=
					(uint64_t)(of_a[i] == of_b[i]) << b;
		}
	}
}

void model_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, init);
}

void model_read(const uint8_t *name, size_t len, struct model_name *read)
{
	uint16_t whole[MODEL_READINGS], best = DATA_IMPOSSIBLE;

	len = stem_length(name, len);
	words_costs(name, len, whole, read);
	for (unsigned int i = 0; i < EAST_ASIAN; i++)
		whole[MODEL_WIDE + i] = asia_cost(i, name, len);
	for (unsigned int r = MODEL_GAPS; r < MODEL_READINGS; r++)
		whole[r] = DATA_IMPOSSIBLE;
	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		best = whole[r] < best ? whole[r] : best;
	for (unsigned int r = 0; r < MODEL_READINGS; r++) {
		/* in quarters; 16 bits, so that as many lanes take them */
		uint16_t cost = (uint16_t)(whole[r] - best);
		uint16_t none = whole[r] == DATA_IMPOSSIBLE;

		cost = cost >> 1;
		cost = cost < MODEL_IMPOSSIBLE ? cost : MODEL_IMPOSSIBLE - 1;
		read->costs[r] = (uint8_t)(cost | (uint16_t)-none);
	}
}

uint64_t model_same(unsigned int charset, const uint8_t *name, size_t len)
{
	uint64_t same = ~0ull;

	if (charset && !model_is_wide(charset)) {
		for (size_t i = 0; i < len; i++) {
			if (name[i] >= 0x80)
				same &= same_as[name[i]][charset];
		}
		return same;
	}
	return 1ull << charset;
}

/* letters that are the one before, or the one before that, in turn */
#define SAME_LETTERS 3
#define SAME_PAIRS 6

/* what comes in pairs: the first half, and what the second one can be */
static const struct {
	char16_t first, second, other_second;
} pairs[] = {
	{ u'¡', '!', '!' },		/* of Spanish */
	{ u'¿', '?', '?' },
	{ u'«', u'»', u'»' },
	{ u'‚', u'‘', u'’' },		/* German's, and others' */
	{ u'“', u'”', u'”' },
	{ u'„', u'“', u'”' },
};
#define PAIRS (sizeof(pairs) / sizeof(pairs[0]))

static char16_t char_at(unsigned int charset, const uint8_t *name, size_t at)
{
	if (name[at] < 0x80)
		return name[at];
	return data_charset(charset)->chars[name[at] - 0x80];
}

/* Is this German's second quotation mark, which is English's first, or French's? */
static bool closes(unsigned int charset, const uint8_t *name, size_t at)
{
	char16_t c = char_at(charset, name, at);
	char16_t first = c == u'“' ? u'„' : u'»';

	if (c != u'“' && c != u'«')
		return false;
	while (at--) {
		if (char_at(charset, name, at) == first)
			return true;
	}
	return false;
}

/* Is it German's first one, which is French's second? */
static bool opens(unsigned int charset, const uint8_t *name, size_t len, size_t at)
{
	if (char_at(charset, name, at) != u'»')
		return false;
	while (++at < len) {
		if (char_at(charset, name, at) == u'«')
			return true;
	}
	return false;
}

/* Does the first half of a pair stand here, and no second one after it? */
static bool lacks_second(unsigned int charset, const uint8_t *name, size_t len, size_t at)
{
	char16_t c = char_at(charset, name, at);
	size_t i = 0;

	while (i < PAIRS && pairs[i].first != c)
		i++;
	if (i == PAIRS)
		return false;
	if (closes(charset, name, at))
		return false;
	while (++at < len) {
		c = char_at(charset, name, at);
		if (c == pairs[i].second || c == pairs[i].other_second)
			return false;
	}
	return true;
}

/*
 * Does a Latin letter stand alone that is not a word? It may be one that is a word in
 * no language, or a capital after a word in small letters. Then it was a dash or a
 * quote in another charset. An initial has a full stop, and a name all in capitals may
 * have words of one letter.
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
	/* "he" in Hungarian, "into" in Lithuanian */
	if (c >= 0x100 && c != u'ő' && c != u'Ő' && c != u'į' && c != u'Į')
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

	return char_at(charset, name, at) == u'‘' && at &&
	       is_letter(kinds[name[at - 1]]) &&
	       !(at + 1 < len && is_letter(kinds[name[at + 1]]));
}

/*
 * Is a sign a whole word that is none? A section has a number, what goes on in dots
 * begins before them, and a bullet has no word before it.
 */
static bool is_lone_sign(unsigned int charset, const uint8_t *name, size_t len, size_t at)
{
	char16_t c = char_at(charset, name, at);

	if (c == u'•')
		return at && name[at - 1] != ' ';
	if (c != u'§' && c != u'…')
		return false;
	if (c == u'…')
		return at && !is_letter(data_kinds[charset][name[at - 1]]) && name[at - 1] != ')';
	while (++at < len && (name[at] == ' ' || char_at(charset, name, at) == u'§'))
		;
	return at == len || name[at] < '0' || name[at] > '9';
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

/*
 * Does the name, read in this charset, have one of these?
 *
 * - a quotation mark without its other half, also a Spanish one;
 * - a Latin letter that is a word in no language;
 * - a sign that is not a word;
 * - letters that repeat as in a line that was drawn.
 *
 * Costs of pairs tell the usual from the unusual, but a name in a charset that is
 * not known here may be usual enough.
 */
static bool is_misspelt(unsigned int charset, const uint8_t *name, size_t len)
{
	bool quoted = false;

	if (is_drawn(charset, name, len))
		return true;
	for (size_t i = 0; i < len; i++) {
		quoted |= char_at(charset, name, i) == u'‚';
		if (is_lone_letter(charset, name, len, i) ||
		    is_lone_sign(charset, name, len, i) ||
		    lacks_second(charset, name, len, i) ||
		    (!quoted && is_stray_quote(charset, name, len, i)))
			return true;
	}
	return false;
}

/* A no-break space stands between two words, and not beside another space. */
static bool is_stray_blank(const uint8_t *name, size_t len, size_t at)
{
	return !at || name[at - 1] == ' ' || name[at - 1] == '\'' || at + 1 == len ||
	       name[at + 1] == ' ' || name[at + 1] == '.';
}

/* Does a sign stand where none does: inside a word, or on a word's wrong side? */
static bool is_misplaced(unsigned int charset, const uint8_t *name, size_t len, size_t at)
{
	const uint8_t *kinds = data_kinds[charset];
	bool after = at && is_letter(kinds[name[at - 1]]);
	bool before = at + 1 < len && is_letter(kinds[name[at + 1]]);
	char16_t c;

	if (name[at] < 0x80 || is_letter(kinds[name[at]]))
		return false;
	if (kinds[name[at]] == BLANK)
		return is_stray_blank(name, len, at);
	c = data_charset(charset)->chars[name[at] - 0x80];
	/* Catalan's dot joins two letters of one kind, and no others */
	if (c == u'·' && after && before && (name[at - 1] | 0x20) == 'l' &&
	    (name[at + 1] | 0x20) == 'l')
		return false;
	/* apostrophes of all sorts and dashes join words */
	if (c == u'‘' || c == u'’' || c == u'´' || c == u'–' || c == u'—' ||
	    is_hebrew_sign(c))
		return false;
	/* a currency is followed by an amount, an ordinal sign after a number or "N" */
	if (before && (c == u'€' || c == u'£'))
		return true;
	if ((c == u'ª' || c == u'º') && kinds[name[at - !!at]] == LOWER && at > 1 &&
	    is_letter(kinds[name[at - 2]]))
		return true;
	return (after && before) ||
	       (before && kinds[name[at]] == CLOSING && !opens(charset, name, len, at)) ||
	       (after && kinds[name[at]] == OPENING &&
		!closes(charset, name, at));
}

bool model_is_odd(unsigned int charset, const uint8_t *name, size_t len)
{
	const uint8_t *kinds = data_kinds[charset];

	if (model_is_wide(charset))
		return asia_is_odd(charset - MODEL_SINGLE - 1, name, len);
	for (size_t i = 0, near = 0; i < len; i++) {
		bool high = name[i] >= 0x80 || (i && name[i - 1] >= 0x80);

		/* nothing below is about ASCII alone */
		near = name[i] >= 0x80 ? 3 : near;
		if (!near)
			continue;
		near--;

		if (kinds[name[i]] == RARE || kinds[name[i]] == NOTHING)
			return true;
		if (is_misplaced(charset, name, len, i))
			return true;
		if (high && i && kinds[name[i]] == UPPER && kinds[name[i - 1]] == LOWER)
			return true;
		/* "ABc" */
		high |= i > 1 && name[i - 2] >= 0x80;
		if (high && i > 1 && kinds[name[i]] == LOWER &&
		    kinds[name[i - 1]] == UPPER && kinds[name[i - 2]] == UPPER)
			return true;
	}
	return is_misspelt(charset, name, len);
}

bool model_is_unzipped(unsigned int charset)
{
	return charset && data_is_unzipped(model_charset_name(charset));
}

bool model_may_lack(unsigned int charset, const uint8_t *name, size_t len)
{
	if (!model_is_unzipped(charset))
		return false;
	if (model_is_wide(charset))
		return asia_may_lack(charset - MODEL_SINGLE - 1, name, len);
	return letters_may_lack(charset, name, stem_length(name, len));
}
