// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What a name costs in each reading, and what is odd in a charset. */
#include "guess/model.h"

#include <pthread.h>

#include "guess/ascii.h"
#include "guess/asia.h"
#include "guess/belief.h"
#include "guess/data.h"
#include "guess/letters.h"
#include "guess/spelling.h"
#include "guess/words.h"

/* charsets that make the same of a byte as another, as bits */
static uint64_t same_as[256][MODEL_CHARSETS];

/* readings that are none */
static uint16_t gaps[MODEL_READINGS];
static unsigned int gap_count;

static void init(void)
{
	data_init();
	reading_init();
	for (unsigned int r = 1; r < MODEL_READINGS; r++) {
		if (!model_reading[r].charset)
			gaps[gap_count++] = (uint16_t)r;
	}
	letters_init();
	belief_init();
	ascii_init();
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

void model_read(struct words *words, const uint8_t *name, size_t len,
		struct model_name *read)
{
	uint16_t whole[MODEL_READINGS], best = DATA_IMPOSSIBLE;

	len = stem_length(name, len);
	words_costs(words, name, len, whole, read);
	for (unsigned int i = 0; i < EAST_ASIAN; i++)
		whole[model_listed[model_single_readings() + i]] =
			asia_cost(i, name, len);
	for (unsigned int i = 0; i < gap_count; i++)
		whole[gaps[i]] = DATA_IMPOSSIBLE;
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

bool model_is_wide(unsigned int charset)
{
	return charset > MODEL_SINGLE;
}

bool model_fits(unsigned int reading, const uint8_t *name, size_t len)
{
	unsigned int charset = model_reading[reading].charset;

	if (!charset || model_is_wide(charset))
		return false;
	return letters_fit(reading, name, stem_length(name, len));
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

/* Does a sign stand where none does: inside a word, or on a word's wrong side? */
static bool is_misplaced(unsigned int charset, const uint8_t *name, size_t len, size_t at)
{
	const uint8_t *kinds = data_kinds[charset];
	bool after = at && is_letter(kinds[name[at - 1]]);
	bool before = at + 1 < len && is_letter(kinds[name[at + 1]]);
	char16_t c;

	if (name[at] < 0x80 || is_letter(kinds[name[at]]) || kinds[name[at]] == BLANK)
		return false;
	c = data_charset(charset)->chars[name[at] - 0x80];
	/* Catalan's dot joins two letters of one kind, and no others */
	if (c == 0xB7 && after && before && (name[at - 1] | 0x20) == 'l' &&
	    (name[at + 1] | 0x20) == 'l')
		return false;
	/* apostrophes of all sorts and dashes join words */
	if (c == 0x2018 || c == 0x2019 || c == 0xB4 || c == 0x2013 ||
	    c == 0x2014 || is_hebrew_sign(c))
		return false;
	return (after && before) || (before && kinds[name[at]] == CLOSING) ||
	       (after && kinds[name[at]] == OPENING &&
		!spelling_closes(charset, name, at));
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
	return spelling_is_odd(charset, name, len);
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
