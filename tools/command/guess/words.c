// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The costs of a name's words in each candidate decoding. guess/model.c calls
 * it. Without it, bench-guess has only the rows of East Asia.
 */
#include "guess/words.h"

#include <string.h>

#include "guess/ascii.h"
#include "guess/letters.h"
#include "guess/reading.h"

/*
 * The average cost of a letter, in eighths of a nat. Of 100 names 99 are below this in
 * their own charset, and 20 of Mac Greek read as WINDOWS-1253.
 */
#define USUAL_AVERAGE 36
/* what is asked of a name that has no others beside it */
#define USUAL_ALONE 27

/* Words of ASCII cost the same in all charsets of a language. */
static void spread(const uint16_t languages[static MODEL_LANGUAGES],
		   uint16_t costs[static MODEL_READINGS])
{
	for (unsigned int i = 1; i < model_single_readings(); i++) {
		unsigned int r = model_listed[i];

		costs[r] = languages[model_reading[r].language];
	}
	costs[MODEL_NOISE] = languages[ENGLISH];
}

/* Of four readings; DATA_MOST is no negative number. */
typedef int16_t costs_row __attribute__((vector_size(2 * MODEL_LANES)));

/* Charsets in none of whose languages the letters, so many, are usual. */
static void find_strange(const uint16_t whole[static MODEL_READINGS],
			 size_t letters, struct model_name *read)
{
	/* those of East Asia have no letters, and 0 is no charset */
	uint64_t of = letters ? (2ull << MODEL_SINGLE) - 2 : 0;
	size_t most = (USUAL_AVERAGE + 1) * letters;
	size_t alone = (USUAL_ALONE + 1) * letters;
	uint16_t least[MODEL_CHARSETS];

	read->letters = (unsigned int)letters;
	read->strange = 0;
	read->strange_alone = 0;

	for (unsigned int g = 0; g < MODEL_GROUPS; g++) {
		costs_row best = { DATA_MOST, DATA_MOST, DATA_MOST, DATA_MOST };

		for (unsigned int r = model_row[g] * MODEL_LANES;
		     r < model_row[g + 1] * MODEL_LANES; r += MODEL_LANES) {
			costs_row own, less;

			memcpy(&own, &whole[r], sizeof(own));
			less = (costs_row)(own < best);
			best = (own & less) | (best & ~less);
		}
		memcpy(&least[g * MODEL_LANES], &best, sizeof(best));
	}
	for (unsigned int p = 0; p < MODEL_CHARSETS; p++) {
		uint64_t charset = of & 1ull << model_charset_at[p];

		read->least[model_charset_at[p]] = least[p];
		read->strange |= least[p] >= most ? charset : 0;
		read->strange_alone |= least[p] >= alone ? charset : 0;
	}
}

void words_costs(const uint8_t *name, size_t len, uint16_t whole[static MODEL_READINGS],
		 struct model_name *read)
{
	uint16_t costs[MODEL_READINGS] = { 0 }, ascii[MODEL_LANGUAGES] = { 0 };
	uint64_t lacking = 0;
	size_t letters = 0, word;
	bool high;

	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		whole[r] = r && !model_reading[r].charset ? DATA_MOST : 0;
	for (size_t i = 0; i < len; i += word ? word : 1) {
		word = letters_word_at(name + i, len - i, &high);
		if (word && !high)
			ascii_add(name + i, word, ascii);
		if (!high)
			continue;
		letters_word(name + i, word, costs);
		letters_add(whole, costs);
		for (size_t k = i; k < i + word; k++)
			lacking |= data_lacking[name[k]];
		letters += word + 1;
	}
	find_strange(whole, letters, read);
	spread(ascii, costs);
	letters_add(whole, costs);
	for (; lacking; lacking &= lacking - 1) {
		unsigned int c = (unsigned int)__builtin_ctzll(lacking);

		for (unsigned int i = model_first[c]; i < model_first[c + 1]; i++)
			whole[model_listed[i]] = DATA_IMPOSSIBLE;
	}
}
