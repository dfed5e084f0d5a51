// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The costs of a name's words in each candidate decoding: words of ASCII cost the same in
 * all charsets of a language. guess/model.c and guess/asia.c call it. Without it,
 * bench-guess has only the rows of East Asia; without words of ASCII, right guesses in
 * "all" of bench-guess fall from 98 % to 85 %.
 */
#include "guess/words.h"

#include <string.h>

#include "guess/letters.h"
#include "guess/reading.h"

/*
 * The average cost of a letter, in eighths of a nat. Of 100 names 99 are below this in
 * their own charset, and 20 of Mac Greek read as WINDOWS-1253.
 */
#define USUAL_AVERAGE 36
/* what is asked of a name that has no others beside it */
#define USUAL_ALONE 27

/* The costs of a letter after another: 'a' to 'z' are 1 to 26, the end of a word is this */
#define END 0

/* more than a pair of letters costs: languages of other scripts take no word of ASCII */
#define NOT_LATIN 255

static uint16_t ascii_rows[27][27][MODEL_LANGUAGES];

/* The cost of a letter after another in a language. */
static unsigned int pair_cost(const struct language_data *data, unsigned int a, unsigned int b)
{
	if (data->letters[0] != 'a')
		return NOT_LATIN;
	return data_follows(data, a == END ? NO_LETTER : FIRST_LETTER + a - 1,
			    b == END ? NO_LETTER : FIRST_LETTER + b - 1);
}

void words_init(void)
{
	for (unsigned int i = 0; i < MODEL_LANGUAGES; i++) {
		for (unsigned int k = 0; k < 27 * 27; k++)
			ascii_rows[k / 27][k % 27][i] =
				(uint16_t)pair_cost(data_language(i), k / 27, k % 27);
	}
}

unsigned int words_english(const uint8_t *word, size_t len)
{
	unsigned int cost = 0, before = END;

	for (size_t i = 0; i < len; i++) {
		unsigned int now = (word[i] | 0x20u) - 'a' + 1;

		cost += ascii_rows[before][now][ENGLISH];
		before = now;
	}
	return cost + ascii_rows[before][END][ENGLISH];
}

/* Add a word to what each language has; often it is English in all of them. */
static void add_ascii(const uint8_t *s, size_t len,
		      uint16_t costs[static MODEL_LANGUAGES])
{
	uint16_t sum[MODEL_LANGUAGES] = { 0 };
	unsigned int before = END, english;

	for (size_t i = 0; i <= len; i++) {
		unsigned int now = i < len ? (s[i] | 0x20u) - 'a' + 1 : END;
		const uint16_t *add = ascii_rows[before][now];

		for (unsigned int k = 0; k < MODEL_LANGUAGES; k++)
			sum[k] = (uint16_t)(sum[k] + add[k]);
		before = now;
	}
	english = sum[ENGLISH] + COST_FOREIGN;
	for (unsigned int k = 0; k < MODEL_LANGUAGES; k++) {
		unsigned int own = sum[k] < english ? sum[k] : english;

		costs[k] = (uint16_t)(costs[k] + own);
	}
}

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
			add_ascii(name + i, word, ascii);
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
