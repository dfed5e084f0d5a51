// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A measure of how plausible a UTF-8 name is in some language. scan/doubled.c and
 * scan/misread.c call it.
 */
#include "scan/reads.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <uninorm.h>
#include <unictype.h>

#include "base/text.h"
#include "guess/data.h"
#include "utf8val.h"

/* A letter costs no more than this on average, in eighths of a nat: see words.c. */
#define USUAL 36

/* what a character of East Asia costs more than a letter that a language has not */
#define SYLLABLE 80

/* Signs that stand between two letters of a word. */
static const char16_t inside_words[] = u"\u00B7\u2013\u2014\u2019\u05F3\u05F4";

/* By Unicode's blocks. */
static bool is_latin(uint32_t cp)
{
	return cp < 0x370 || (cp >= 0x1E00 && cp < 0x1F00);
}

bool reads_odd_case(uint32_t cp, uint32_t before, uint32_t before2)
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
		    (letter && reads_odd_case(cp, before, before2)))
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
		/* one of these stands for a syllable */
		if (cp >= 0x2E80)
			cost += SYLLABLE;
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
