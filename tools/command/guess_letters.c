// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A word costs what each of its letters costs after the one before it. For a
 * pair of bytes these costs, in every reading, are one row, made when the pair is
 * first met; a name is a sum of rows, which compilers turn into vector
 * instructions. How capitals stand in a word is not a matter of pairs: that is
 * counted in bits, one for each charset.
 */
#include "guess_letters.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "guess_ascii.h"
#include "text.h"

/* costs in eighths of a nat, chosen by tools/bench/guess.py --tuned */
#define COST_SIGN 42
#define COST_RARE 92
#define COST_BESIDE_SIGN 24	/* a letter where none should be */
#define COST_LATIN 24		/* a letter, in a language of another script */
#define COST_SCRIPT 48		/* the script changes inside a word */
#define COST_CAPITALS 20	/* a word is all in capitals */
#define COST_TITLE 7		/* only its first letter is one */
#define COST_SMALL 4
#define COST_MIXED 56		/* a capital follows a small letter */
#define COST_MIXED_MORE 16	/* and again; three times count */
#define COST_NOISE 46		/* any byte from 0x80 on */
#define COST_NOISE_LETTER 27	/* and a letter beside it */

/* what usual letters cost at most: each pair with one, and each word beside */
#define FIT_PAIR 30
#define FIT_WORD 16
/* and what none of them may cost more than */
#define FIT_MOST 64

/* rows of 16 bits that can be added up to DATA_MOST: none has more than 500 */
#define MOST_ROWS 64

/* a row's number for the end of a word; no name has this byte */
#define END 0

/* MODEL_READINGS costs for each pair that has been met */
static uint16_t *_Atomic rows[256][256];
/* bits of charsets in which a byte is such a letter */
static uint64_t capitals[256], smalls[256];

void letters_init(void)
{
	for (unsigned int c = 1; c <= data_single; c++) {
		for (unsigned int b = 0; b < 256; b++) {
			if (data_kinds[c][b] == UPPER)
				capitals[b] |= 1ull << c;
			if (data_kinds[c][b] == LOWER)
				smalls[b] |= 1ull << c;
		}
	}
}

/* A sign, or what stands where a letter should. */
static unsigned int sign_cost(const uint8_t *kinds, char16_t sign, uint8_t a,
			      uint8_t b)
{
	unsigned int cost = kinds[b] == RARE ? COST_RARE : COST_SIGN;

	/* an apostrophe, and Catalan's dot, stand inside words */
	if (a != END && is_letter(kinds[a]) && kinds[b] != CLOSING &&
	    kinds[b] != BLANK && sign != 0x2019 && sign != 0xB7)
		cost += COST_BESIDE_SIGN;
	return cost;
}

/* What a byte costs after another, or at the beginning or end of a word. */
static unsigned int pair_cost(unsigned int r, uint8_t a, uint8_t b)
{
	const struct model_reading *reading = &model_reading[r];
	const struct language_data *language =
		data_language(reading->language);
	const char16_t *chars = data_charset(reading->charset)->chars;
	const uint8_t *kinds = data_kinds[reading->charset];
	unsigned int left = a == END ? NO_LETTER : data_classes[r][a];
	unsigned int right = b == END ? NO_LETTER : data_classes[r][b];
	unsigned int before = left == LATIN ? NO_LETTER : left;
	unsigned int cost = 0;

	if (b == END)
		return before == NO_LETTER ? 0 :
			       data_cost(language->costs[before][NO_LETTER]);
	if (a >= 0x80 && left == NO_LETTER && is_letter(kinds[b]) &&
	    kinds[a] != OPENING && kinds[a] != BLANK &&
	    chars[a - 0x80] != 0x2019 && chars[a - 0x80] != 0xB7)
		cost += COST_BESIDE_SIGN;
	if (right == LATIN) {
		cost += COST_LATIN;
		if (before != NO_LETTER)
			cost += COST_SCRIPT;
		return cost + data_cost(language->costs[before][NO_LETTER]);
	}
	if (right == NO_LETTER) {
		cost += sign_cost(kinds, chars[b - 0x80], a, b);
		if (before == NO_LETTER)
			return cost;
	} else if (left == LATIN) {
		cost += COST_SCRIPT;
	}
	return cost + data_cost(language->costs[before][right]);
}

static const uint16_t *make_row(uint8_t a, uint8_t b)
{
	uint16_t *new = must(calloc(MODEL_READINGS, sizeof(*new)));
	uint16_t *old = NULL;

	for (unsigned int r = 1; r < data_single_readings; r++)
		new[r] = (uint16_t)pair_cost(r, a, b);
	/* another thread may have been first */
	if (!atomic_compare_exchange_strong(&rows[a][b], &old, new)) {
		free(new);
		return old;
	}
	return new;
}

static inline const uint16_t *row_of(uint8_t a, uint8_t b)
{
	const uint16_t *found = atomic_load_explicit(&rows[a][b],
						     memory_order_acquire);

	return found ? found : make_row(a, b);
}

static inline bool in_word(uint8_t byte)
{
	return byte >= 0x80 || is_ascii_letter(byte);
}

/* The word that begins here, and whether it has more than ASCII. */
static size_t word_at(const uint8_t *s, size_t len, bool *high)
{
	uint8_t all = 0;
	size_t i = 0;

	for (; i < len && in_word(s[i]); i++)
		all |= s[i];
	*high = all >= 0x80;
	return i;
}

/* Add a cost in each charset of a set. */
static void add_to(uint64_t set, unsigned int cost,
		   uint16_t costs[static MODEL_CHARSETS])
{
	for (; set; set &= set - 1) {
		uint16_t *of = &costs[__builtin_ctzll(set)];

		*of = (uint16_t)(*of + cost);
	}
}

/*
 * Small letters, a capital first, or capitals only; what else costs much. Adds
 * what a word costs in each charset.
 */
static void add_case(const uint8_t *s, size_t len,
		     uint16_t costs[static MODEL_CHARSETS])
{
	/* charsets in which there is one such letter, two, ... */
	uint64_t capital = 0, capital2 = 0, small = 0;
	uint64_t mixed = 0, mixed2 = 0, mixed3 = 0;

	for (size_t i = 0; i < len; i++) {
		uint64_t now = capitals[s[i]], wrong = 0;

		capital2 |= capital & now;
		capital |= now;
		small |= smalls[s[i]];
		if (i && (s[i] | s[i - 1]) >= 0x80)
			wrong = now & smalls[s[i - 1]];
		/* "ABc" */
		if (i > 1 && (s[i] | s[i - 1] | s[i - 2]) >= 0x80)
			wrong |= smalls[s[i]] & capitals[s[i - 1]] &
				 capitals[s[i - 2]];
		mixed3 |= mixed2 & wrong;
		mixed2 |= mixed & wrong;
		mixed |= wrong;
	}
	capital2 &= ~small;
	add_to(capital2 & ~mixed, COST_CAPITALS, costs);
	add_to(capital & ~capital2 & ~mixed, COST_TITLE, costs);
	add_to(small & ~capital & ~mixed, COST_SMALL, costs);
	add_to(mixed & ~mixed2, COST_MIXED, costs);
	add_to(mixed2 & ~mixed3, COST_MIXED + COST_MIXED_MORE, costs);
	add_to(mixed3, COST_MIXED + 2 * COST_MIXED_MORE, costs);
}

/* A name being added up. */
struct sums {
	uint16_t row[MODEL_READINGS];
	unsigned int rows;
	uint16_t cases[MODEL_CHARSETS];
	uint16_t ascii[MODEL_LANGUAGES];
};

/* These two are what takes most time: vector instructions, with restrict. */
static void add_row(uint16_t *restrict to, const uint16_t *restrict row)
{
	for (unsigned int r = 0; r < MODEL_READINGS; r++)
		to[r] = (uint16_t)(to[r] + row[r]);
}

static void flush(struct sums *sums, uint16_t *restrict whole)
{
	const uint16_t *restrict row = sums->row;

	for (unsigned int r = 0; r < MODEL_READINGS; r++) {
		uint16_t sum = (uint16_t)(whole[r] + row[r]);

		whole[r] = sum < DATA_MOST ? sum : DATA_MOST;
	}
	memset(sums->row, 0, sizeof(sums->row));
	sums->rows = 0;
}

static void add_high(const uint8_t *s, size_t len, struct sums *sums,
		     uint16_t whole[static MODEL_READINGS])
{
	uint8_t before = END;

	for (size_t i = 0; i <= len; i++) {
		uint8_t now = i < len ? s[i] : END;

		add_row(sums->row, row_of(before, now));
		before = now;
		if (++sums->rows == MOST_ROWS)
			flush(sums, whole);
	}
	add_case(s, len, sums->cases);
}

static unsigned int noise(const uint8_t *name, size_t len)
{
	unsigned int cost = 0;

	for (size_t i = 0; i < len;) {
		bool high;
		size_t word = word_at(name + i, len - i, &high);

		for (size_t k = i; high && k < i + word; k++)
			cost += name[k] >= 0x80 ? COST_NOISE :
						  COST_NOISE_LETTER;
		i += word ? word : 1;
	}
	return cost;
}

void letters_costs(const uint8_t *name, size_t len,
		   uint16_t whole[static MODEL_READINGS])
{
	struct sums sums = { 0 };
	uint64_t lacking = 0;

	memset(whole, 0, sizeof(whole[0]) * MODEL_READINGS);
	for (size_t i = 0; i < len;) {
		bool high;
		size_t word = word_at(name + i, len - i, &high);

		if (!high && word)
			ascii_add(name + i, word, sums.ascii);
		else if (high)
			add_high(name + i, word, &sums, whole);
		for (size_t k = i; high && k < i + word; k++)
			lacking |= data_lacking[name[k]];
		i += word ? word : 1;
	}
	flush(&sums, whole);
	for (unsigned int c = 1; c <= data_single; c++) {
		for (unsigned int r = model_first[c]; r < model_first[c + 1];
		     r++) {
			unsigned int cost = sums.cases[c] +
				sums.ascii[model_reading[r].language];

			whole[r] = lacking >> c & 1 ? DATA_IMPOSSIBLE :
						      (uint16_t)(whole[r] + cost);
		}
	}
	whole[MODEL_NOISE] = (uint16_t)(noise(name, len) + sums.ascii[ENGLISH]);
}

/* What the words of a name that are not ASCII cost in one reading. */
struct words {
	unsigned int count, cases;
	/* pairs of letters: all; those with a byte that is not ASCII */
	unsigned int cost, pairs;
	unsigned int high_cost, high_pairs, worst;
	bool lacking;	/* a byte that the charset does not have */
	bool letter;	/* one beyond ASCII */
};

static struct words words_of(unsigned int reading, const uint8_t *name,
			     size_t len)
{
	unsigned int charset = model_reading[reading].charset;
	uint16_t cases[MODEL_CHARSETS] = { 0 };
	struct words sum = { 0 };

	for (size_t i = 0; i < len;) {
		bool high;
		size_t word = word_at(name + i, len - i, &high);
		uint8_t before = END;

		for (size_t k = i; high && k <= i + word; k++) {
			uint8_t now = k < i + word ? name[k] : END;
			unsigned int pair = row_of(before, now)[reading];

			sum.lacking |= data_lacking[now] >> charset & 1;
			sum.letter |= now >= 0x80 &&
				      is_letter(data_kinds[charset][now]);
			sum.cost += pair;
			sum.pairs++;
			if ((now | before) >= 0x80) {
				sum.high_cost += pair;
				sum.high_pairs++;
				if (pair > sum.worst)
					sum.worst = pair;
			}
			before = now;
		}
		if (high) {
			add_case(name + i, word, cases);
			sum.count++;
		}
		i += word ? word : 1;
	}
	sum.cases = cases[charset];
	return sum;
}

unsigned int letters_average(unsigned int reading, const uint8_t *name,
			     size_t len)
{
	struct words words = words_of(reading, name, len);

	if (!words.pairs)
		return 0;
	return (words.cost + words.cases) / words.pairs;
}

bool letters_fit(unsigned int reading, const uint8_t *name, size_t len)
{
	struct words words = words_of(reading, name, len);

	/* signs are much the same in all languages */
	return !words.lacking && words.letter && words.worst <= FIT_MOST &&
	       words.high_cost + words.cases <=
		       words.high_pairs * FIT_PAIR + words.count * FIT_WORD;
}
