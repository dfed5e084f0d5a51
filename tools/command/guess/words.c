// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The costs of a name's words in each candidate decoding, cached by word. guess/model.c
 * calls it. Without it, bench-guess has only the rows of East Asia.
 */
#include "guess/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
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

/* words that are kept have so many bytes at most */
#define WORD_SIZE 23
/* and there is one place for each value of so many bits of their hash */
#define PLACE_BITS 9

struct word {
	uint8_t len;			/* 0: nothing is here */
	uint8_t bytes[WORD_SIZE];
	uint64_t lacking;		/* charsets without one of its bytes */
	uint16_t costs[MODEL_READINGS];
};

struct words {
	uint16_t none[MODEL_READINGS];	/* what nothing costs; DATA_MOST in gaps */
	struct word places[1 << PLACE_BITS];
	struct word other;		/* the last one that is not kept */
};

struct words *words_new(void)
{
	struct words *words = must(calloc(1, sizeof(*words)));

	for (unsigned int r = 1; r < MODEL_READINGS; r++) {
		if (!model_reading[r].charset)
			words->none[r] = DATA_MOST;
	}
	return words;
}

void words_free(struct words *words)
{
	free(words);
}

/* A word of ASCII costs the same in all charsets of a language. */
static void add_ascii(const uint8_t *s, size_t len, uint16_t costs[static MODEL_READINGS])
{
	uint16_t languages[MODEL_LANGUAGES] = { 0 };

	ascii_add(s, len, languages);
	for (unsigned int i = 1; i < model_single_readings(); i++) {
		unsigned int r = model_listed[i];

		costs[r] = languages[model_reading[r].language];
	}
	costs[MODEL_NOISE] = languages[ENGLISH];
}

static struct word *place_of(struct words *words, const uint8_t *s, size_t len)
{
	uint64_t hash = len;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ s[i]) * 0x9E3779B97F4A7C15u;
	return &words->places[hash >> (64 - PLACE_BITS)];
}

static const struct word *find(struct words *words, const uint8_t *s, size_t len,
			       bool high)
{
	struct word *word = &words->other;

	if (len <= WORD_SIZE) {
		word = place_of(words, s, len);
		if (word->len == len && !memcmp(word->bytes, s, len))
			return word;
		word->len = (uint8_t)len;
		memcpy(word->bytes, s, len);
	}
	word->lacking = 0;
	for (size_t i = 0; i < len; i++)
		word->lacking |= data_lacking[s[i]];
	if (high)
		letters_word(s, len, word->costs);
	else
		add_ascii(s, len, word->costs);
	return word;
}

/* A name being added up. */
struct sums {
	uint16_t some[MODEL_READINGS];	/* not yet in the whole */
	size_t letters;			/* of words in these */
};

static void add_word(struct sums *sums, const struct word *word, size_t len,
		     uint16_t whole[static MODEL_READINGS])
{
	/* a longer one may cost DATA_MOST */
	if (sums->letters + len > 2 * WORD_SIZE) {
		letters_add(whole, sums->some);
		sums->letters = 0;
	}
	letters_add_row(sums->some, word->costs);
	sums->letters += len + 1;
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

void words_costs(struct words *words, const uint8_t *name, size_t len,
		 uint16_t whole[static MODEL_READINGS], struct model_name *read)
{
	uint64_t lacking = 0;
	struct sums sums = { 0 };
	size_t letters = 0;
	bool ascii = false;

	memcpy(whole, words->none, sizeof(words->none));
	for (size_t i = 0; i < len;) {
		bool high;
		size_t word = letters_word_at(name + i, len - i, &high);

		ascii |= word && !high;
		if (high) {
			const struct word *found = find(words, name + i, word, high);

			add_word(&sums, found, word, whole);
			lacking |= found->lacking;
			letters += word + 1;
		}
		i += word ? word : 1;
	}
	letters_add(whole, sums.some);
	sums.letters = 0;
	find_strange(whole, letters, read);
	for (size_t i = 0; ascii && i < len;) {
		bool high;
		size_t word = letters_word_at(name + i, len - i, &high);

		if (word && !high)
			add_word(&sums, find(words, name + i, word, high), word, whole);
		i += word ? word : 1;
	}
	if (ascii)
		letters_add(whole, sums.some);
	for (; lacking; lacking &= lacking - 1) {
		unsigned int c = (unsigned int)__builtin_ctzll(lacking);

		for (unsigned int i = model_first[c]; i < model_first[c + 1]; i++)
			whole[model_listed[i]] = DATA_IMPOSSIBLE;
	}
}
