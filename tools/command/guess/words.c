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
	for (unsigned int r = 1; r < MODEL_WIDE; r++)
		costs[r] = languages[model_reading[r].language];
	costs[MODEL_NOISE] = languages[ENGLISH];
}

/* Charsets in none of whose languages the letters, so many, are usual. */
static void find_strange(const uint16_t whole[static MODEL_READINGS],
			 size_t letters, struct model_name *read)
{
	size_t most = (USUAL_AVERAGE + 1) * letters;
	size_t alone = (USUAL_ALONE + 1) * letters;

	read->letters = (unsigned int)letters;
	read->strange = 0;
	read->strange_alone = 0;
	/* those of East Asia have no letters, and 0 is no charset */
	for (unsigned int c = 1; c <= MODEL_SINGLE; c++) {
		uint16_t least = DATA_MOST;

		for (unsigned int r = model_first[c]; r < model_first[c + 1]; r++)
			least = whole[r] < least ? whole[r] : least;
		read->least[c] = least;
		read->strange |= (uint64_t)(letters && least >= most) << c;
		read->strange_alone |= (uint64_t)(letters && least >= alone) << c;
	}
}

void words_costs(const uint8_t *name, size_t len, uint16_t whole[static MODEL_READINGS],
		 struct model_name *read)
{
	uint16_t costs[MODEL_READINGS] = { 0 }, ascii[MODEL_LANGUAGES] = { 0 };
	uint64_t lacking = 0;
	size_t letters = 0, word;
	bool high;

	memset(whole, 0, sizeof(whole[0]) * MODEL_READINGS);
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

		for (unsigned int r = model_first[c]; r < model_first[c + 1]; r++)
			whole[r] = DATA_IMPOSSIBLE;
	}
}
