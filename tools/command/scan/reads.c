// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A measure of how plausible a UTF-8 name is in some language, and rules for its letters and
 * signs. scan/misread.c and scan/mixed.c call it.
 */
#include "scan/reads.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <uninorm.h>
#include <unictype.h>

#include "base/text.h"
#include "guess/data.h"
#include "utf8val.h"

/* A letter costs no more than this on average, in eighths of a nat: see words.c. */
#define USUAL 36

/* so many characters beyond ASCII cannot be well-formed by chance, whatever they follow */
#define ENOUGH 2
/* and then letters of an alphabet that no table here has are accepted */
#define MANY 3

/* Signs that stand between two letters of a word. */
static const char16_t inside_words[] = u"\u00B7\u2013\u2014\u2019\u05F3\u05F4";

/* By Unicode's blocks. */
static bool is_latin(uint32_t cp)
{
	return cp < 0x370 || (cp >= 0x1E00 && cp < 0x1F00);
}

/* Is a letter, after two others of its word, "aB" or "ABc", with one of them beyond ASCII? */
static bool is_odd_case(uint32_t cp, uint32_t before, uint32_t before2)
{
	if (uc_is_property_uppercase((ucs4_t)cp))
		return uc_is_property_lowercase((ucs4_t)before) && (cp | before) >= 0x80;
	return uc_is_property_lowercase((ucs4_t)cp) &&
	       uc_is_property_uppercase((ucs4_t)before) &&
	       uc_is_property_uppercase((ucs4_t)before2) && (cp | before | before2) >= 0x80;
}

/* A name's letters, one after the other; a word's end is 0. */
struct letters {
	uint32_t cps[256];
	unsigned int count;
};

/* Take the letters of words with more than ASCII; false: they stand as no letters do. */
static bool take_letters(const void *name, size_t len, struct letters *letters)
{
	unsigned int begin = 0;
	bool high = false, sign = false;
	uint32_t before = 0, before2 = 0, cp;

	for_each_character(cp, name, len) {
		bool letter = uc_is_general_category_withtable(
				      cp, UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_M) &&
			      cp != 0xAA && cp != 0xBA;

		/* a sign or another script inside a word, "aB", "ABc" */
		if ((letter && sign) || (letter && before && is_latin(before) != is_latin(cp)) ||
		    (letter && is_odd_case(cp, before, before2)))
			return false;
		sign = before && cp >= 0x80 && !letter &&
		       !is_one_of(inside_words, (char16_t)cp);
		before2 = before;
		before = letter ? cp : 0;
		high |= letter && cp >= 0x80;
		if (letters->count == 255)
			return false;
		if (letter) {
			letters->cps[letters->count++] = cp;
			continue;
		}
		if (high)
			letters->cps[letters->count++] = 0;
		else
			letters->count = begin;
		begin = letters->count;
		high = false;
	}
	if (high)
		letters->cps[letters->count++] = 0;
	else
		letters->count = begin;
	return true;
}

/* The cost of the letters in a language. */
static unsigned int cost_in(unsigned int language, const struct letters *letters)
{
	const struct language_data *data = data_language(language);
	unsigned int cost = 0, before = NO_LETTER;

	for (unsigned int i = 0; i < letters->count; i++) {
		uint32_t cp = letters->cps[i];
		unsigned int now = !cp ? NO_LETTER :
				   cp > UINT16_MAX ? OTHER_LETTER :
				   data_class(language, (char16_t)cp);

		cost += data_follows(data, before, now);
		before = now;
	}
	return cost;
}

unsigned int reads_cost(const void *name, size_t len, unsigned int *count)
{
	struct letters letters = { .count = 0 };
	unsigned int least = UINT_MAX;
	uint8_t room[256], *whole;
	size_t whole_len = sizeof(room);

	data_init();
	/* macOS takes letters apart */
	whole = must(u8_normalize(UNINORM_NFC, name, len, room, &whole_len));
	if (take_letters(whole, whole_len, &letters)) {
		for (unsigned int i = 0; i < MODEL_LANGUAGES; i++) {
			unsigned int cost = cost_in(i, &letters);

			least = cost < least ? cost : least;
		}
	}
	if (whole != room)
		free(whole);
	*count = letters.count;
	return least;
}

bool reads_well(const void *name, size_t len)
{
	unsigned int letters, cost = reads_cost(name, len, &letters);

	return letters && cost <= USUAL * letters;
}

bool reads_same_script(const uc_script_t *a, const uc_script_t *b)
{
	static const char *const asian[] = { "Han", "Hiragana", "Katakana" };
	int both = 0;

	for (unsigned int i = 0; i < sizeof(asian) / sizeof(asian[0]); i++)
		both += !strcmp(a->name, asian[i]) + !strcmp(b->name, asian[i]);
	return a == b || both == 2;
}

/* The state of reading a name. */
struct word {
	const uc_script_t *script;	/* of the word so far; NULL: none yet */
	uint32_t before, before2;
};

static bool is_semitic(uint32_t cp)
{
	return cp >= 0x590 && cp < 0x700;
}

/*
 * A mark belongs to the letter before. Two bytes may be a letter and a sign by chance. So
 * only those count that make another letter of the letter (macOS decomposes letters), and
 * those of Hebrew and Arabic.
 */
static bool take_mark(struct word *word, uint32_t cp)
{
	if (cp >= 0x800 || (is_semitic(cp) && is_semitic(word->before)))
		return true;
	word->before = uc_composition(word->before, cp);
	return word->before;
}

/* A character beyond ASCII, by itself, of so many in the name. */
static bool is_usual(uint32_t cp, unsigned int count)
{
	if (!uc_is_general_category_withtable(
		    (ucs4_t)cp, UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_M |
				UC_CATEGORY_MASK_N | UC_CATEGORY_MASK_P |
				UC_CATEGORY_MASK_S | UC_CATEGORY_MASK_Zs))
		return false;
	/* what has three bytes is no letter and a sign, or two, by chance */
	if (cp >= 0x800 || !uc_is_alpha((ucs4_t)cp))
		return cp >= 0x800 || cp < 0x370 || is_semitic(cp);
	/* Romanian's letters with a comma, which older charsets lack */
	return (cp >= 0x218 && cp <= 0x21B) ||
	       data_in_alphabet((char16_t)cp) || count >= MANY;
}

bool reads_usual(const void *name, size_t len)
{
	struct word word = { 0 };
	unsigned int count = 0;
	uint32_t cp;

	for_each_character(cp, name, len)
		count += cp >= 0x80;
	for_each_character(cp, name, len) {
		const uc_script_t *script = uc_script((ucs4_t)cp);

		if (cp >= 0x80 && !is_usual(cp, count))
			return false;
		if (uc_is_general_category_withtable((ucs4_t)cp, UC_CATEGORY_MASK_M)) {
			if (!take_mark(&word, cp))
				return false;
			continue;
		}
		if (!uc_is_alpha((ucs4_t)cp)) {
			word = (struct word){ 0 };
			continue;
		}
		if (word.script && count < ENOUGH &&
		    !reads_same_script(word.script, script))
			return false;
		if (is_odd_case(cp, word.before, word.before2))
			return false;
		word = (struct word){ script, cp, word.before };
	}
	return true;
}
