// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The costs of words beyond ASCII in each reading; words.c adds them up, and model.c and
 * pool.c look at those of one reading. A word costs what each of its letters costs after
 * the one before it. For a pair of bytes these costs, in every reading, are one row,
 * made when the pair is first met. A name is a sum of rows, which compilers turn into
 * vector instructions. How capitals stand in a word is not a matter of pairs: that is
 * counted in bits, one for each charset. Without it, bench-guess has only the rows of East
 * Asia.
 */
#include "guess/letters.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "guess/reading.h"

/* costs in eighths of a nat, chosen by tools/bench/guess.py --tuned */
#define COST_SIGN 42
#define COST_RARE 92
#define COST_MIDDLE_DOT 24
#define COST_ELLIPSIS 40
#define COST_FOLDER 8
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
#define COST_NOISE_WORD 16	/* its end, and how its capitals stand */

/* what usual letters cost at most: each pair with one, and each word beside */
#define FIT_PAIR 30
#define FIT_WORD 16
/* and what none of them may cost more than */
#define FIT_MOST 64

/* rows that can be added up in 16 bits, beside DATA_MOST: none has more than 500 */
#define MOST_ROWS 60

/*
 * The highest probability, where a name is certain, that unzip has left out a letter. It
 * is for a capital, or for a small letter, for which pairs of letters are less evidence.
 */
#define LACKS_CAPITAL 0.003f
#define LACKS_SMALL 0.0002f

/* a row's number for the end of a word; no name has this byte */
#define END 0

/* MODEL_READINGS costs for each pair that has been met */
static uint16_t *_Atomic rows[256][256];
/* bits of charsets in which a byte is such a letter */
static uint64_t capitals[256], smalls[256];

void letters_init(void)
{
	for (unsigned int c = 1; c <= MODEL_SINGLE; c++) {
		for (unsigned int b = 0; b < 256; b++) {
			if (data_kinds[c][b] == UPPER)
				capitals[b] |= 1ull << c;
			if (data_kinds[c][b] == LOWER)
				smalls[b] |= 1ull << c;
		}
	}
}

/* Apple's florin sign as a word, with which users of Mac OS 9 ended the names of folders. */
static bool is_folder(char16_t sign, uint8_t byte)
{
	return sign == u'ƒ' && byte == 0xC4;
}

/* A sign, or what stands where a letter should. */
static unsigned int sign_cost(const uint8_t *kinds, char16_t sign, uint8_t a, uint8_t b)
{
	unsigned int cost = kinds[b] == RARE ? COST_RARE : COST_SIGN;

	/* Catalan's dot between two letters */
	if (sign == u'·' && (a | 0x20) == 'l')
		return COST_MIDDLE_DOT;
	if (a == END && is_folder(sign, b))
		return COST_FOLDER;
	/* no word begins with it */
	if (sign == u'…' && a == END)
		cost += COST_ELLIPSIS;
	/* an apostrophe, Catalan's dot and some of Hebrew stand inside words */
	if (a != END && is_letter(kinds[a]) && kinds[b] != CLOSING &&
	    kinds[b] != BLANK && sign != u'’' && sign != u'·' &&
	    !is_hebrew_sign(sign))
		cost += COST_BESIDE_SIGN;
	return cost;
}

/* The cost of a byte after another, or at the beginning or end of a word. */
static unsigned int pair_cost(unsigned int r, uint8_t a, uint8_t b)
{
	const struct model_reading *reading = &model_reading[r];
	const struct language_data *language = data_language(reading->language);
	const char16_t *chars = data_charset(reading->charset)->chars;
	const uint8_t *kinds = data_kinds[reading->charset];
	unsigned int left = a == END ? NO_LETTER : model_classes[r][a];
	unsigned int right = b == END ? NO_LETTER : model_classes[r][b];
	unsigned int before = left == LATIN ? NO_LETTER : left;
	unsigned int cost = 0;

	if (b == END)
		return before == NO_LETTER ? 0 :
			       data_follows(language, before, NO_LETTER);
	if (a >= 0x80 && left == NO_LETTER && is_letter(kinds[b]) &&
	    kinds[a] != OPENING && kinds[a] != BLANK &&
	    chars[a - 0x80] != u'’' && chars[a - 0x80] != u'·' &&
	    !is_hebrew_sign(chars[a - 0x80]))
		cost += COST_BESIDE_SIGN;
	if (a >= 0x80 && is_folder(chars[a - 0x80], a))
		cost += COST_SIGN;
	if (right == LATIN) {
		cost += COST_LATIN;
		if (before != NO_LETTER)
			cost += COST_SCRIPT;
		return cost + data_follows(language, before, NO_LETTER);
	}
	if (right == NO_LETTER) {
		cost += sign_cost(kinds, chars[b - 0x80], a, b);
		if (before == NO_LETTER)
			return cost;
	} else if (left == LATIN) {
		cost += COST_SCRIPT;
	}
	return cost + data_follows(language, before, right);
}

static const uint16_t *make_row(uint8_t a, uint8_t b)
{
	uint16_t *new = must(calloc(MODEL_READINGS, sizeof(*new)));
	uint16_t *old = NULL;

	for (unsigned int r = 1; r < MODEL_WIDE; r++)
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
	const uint16_t *found = atomic_load_explicit(&rows[a][b], memory_order_acquire);

	return found ? found : make_row(a, b);
}

/* Add a cost in each charset of a set. */
static void add_to(uint64_t set, unsigned int cost, uint16_t costs[static MODEL_CHARSETS])
{
	for (; set; set &= set - 1) {
		uint16_t *of = &costs[__builtin_ctzll(set)];

		*of = (uint16_t)(*of + cost);
	}
}

/*
 * Small letters, a capital first, or capitals only; what else costs much. Adds
 * what a word costs in each charset of a set.
 */
static void add_case(const uint8_t *s, size_t len, uint64_t of,
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
			wrong |= smalls[s[i]] & capitals[s[i - 1]] & capitals[s[i - 2]];
		mixed3 |= mixed2 & wrong;
		mixed2 |= mixed & wrong;
		mixed |= wrong;
	}
	capital &= of;
	small &= of;
	mixed &= of;
	mixed2 &= of;
	mixed3 &= of;
	capital2 &= ~small;
	add_to(capital2 & capital & ~mixed, COST_CAPITALS, costs);
	add_to(capital & ~capital2 & ~mixed, COST_TITLE, costs);
	add_to(small & ~capital & ~mixed, COST_SMALL, costs);
	add_to(mixed & ~mixed2, COST_MIXED, costs);
	add_to(mixed2 & ~mixed3, COST_MIXED + COST_MIXED_MORE, costs);
	add_to(mixed3, COST_MIXED + 2 * COST_MIXED_MORE, costs);
}

void letters_add(uint16_t *restrict whole, uint16_t *restrict some)
{
	for (unsigned int r = 0; r < MODEL_READINGS; r++) {
		uint16_t sum = (uint16_t)(whole[r] + some[r]);

		whole[r] = sum < DATA_MOST ? sum : DATA_MOST;
	}
	memset(some, 0, sizeof(some[0]) * MODEL_READINGS);
}

void letters_word(const uint8_t *s, size_t len, uint16_t whole[static MODEL_READINGS])
{
	uint16_t sum[MODEL_READINGS] = { 0 }, cases[MODEL_CHARSETS] = { 0 };
	unsigned int noise = COST_NOISE_WORD, count = 0;
	uint8_t before = END;

	memset(whole, 0, sizeof(whole[0]) * MODEL_READINGS);
	for (size_t i = 0; i <= len; i++) {
		uint8_t now = i < len ? s[i] : END;
		const uint16_t *row = row_of(before, now);

		/* this takes most time: vector instructions */
		for (unsigned int r = 0; r < MODEL_READINGS; r++)
			sum[r] = (uint16_t)(sum[r] + row[r]);
		before = now;
		if (++count % MOST_ROWS == 0)
			letters_add(whole, sum);
	}
	add_case(s, len, ~0ull, cases);
	for (unsigned int r = 1; r < MODEL_WIDE; r++)
		sum[r] = (uint16_t)(sum[r] + cases[model_reading[r].charset]);
	letters_add(whole, sum);
	for (size_t i = 0; i < len; i++)
		noise += s[i] >= 0x80 ? COST_NOISE : COST_NOISE_LETTER;
	whole[MODEL_NOISE] = (uint16_t)(noise < DATA_MOST ? noise : DATA_MOST);
}

bool letters_fit(unsigned int reading, const uint8_t *name, size_t len)
{
	unsigned int charset = model_reading[reading].charset, cost = 0, most = 0;
	uint16_t cases[MODEL_CHARSETS] = { 0 };
	bool letter = false, high;

	for (size_t i = 0, word; i < len; i += word ? word : 1) {
		uint8_t before = END, now;

		word = letters_word_at(name + i, len - i, &high);
		if (!high)
			continue;
		for (size_t k = 0; k <= word; k++, before = now) {
			unsigned int pair;

			now = k < word ? name[i + k] : END;
			pair = row_of(before, now)[reading];
			if (data_lacking[now] >> charset & 1)
				return false;
			/* one that stands alone may be any language's */
			letter |= word > 1 && now >= 0x80 &&
				  is_letter(data_kinds[charset][now]);
			if ((now | before) < 0x80)
				continue;
			if (pair > FIT_MOST)
				return false;
			cost += pair;
			most += FIT_PAIR;
		}
		add_case(name + i, word, 1ull << charset, cases);
		most += FIT_WORD;
	}
	/* signs are much the same in all languages */
	return letter && cost + cases[charset] <= most;
}

/*
 * Can a letter of this kind have stood before the one at a place in a word? A capital
 * can begin one that is small now, or be anywhere among others.
 */
static bool had_place(const uint8_t *kinds, uint8_t kind, const uint8_t *word, size_t len,
		      size_t at)
{
	bool is_small = kinds[word[0]] == LOWER, is_capitals = len > 1;

	if (kind == LOWER)
		return at == len || kinds[word[at]] != UPPER;
	for (size_t i = 0; i < len; i++)
		is_capitals &= kinds[word[i]] == UPPER;
	return is_capitals || (is_small && !at);
}

/*
 * The cost of the words in a reading, and their probability with one more letter,
 * relative to that without it.
 */
static float lack_in(unsigned int reading, const uint8_t *name, size_t len,
		     unsigned int *cost)
{
	const uint8_t *kinds = data_kinds[model_reading[reading].charset];
	uint8_t lacks = DATA_UNZIP_LACKS;
	float sum = 0;
	bool high;

	*cost = 0;
	for (size_t i = 0, word; i < len; i += word ? word : 1) {
		word = letters_word_at(name + i, len - i, &high);
		for (size_t k = 0; word && k <= word; k++) {
			uint8_t before = k ? name[i + k - 1] : END;
			uint8_t after = k < word ? name[i + k] : END;
			int without = row_of(before, after)[reading];
			int with = row_of(before, lacks)[reading] +
				   row_of(lacks, after)[reading];

			*cost += (unsigned int)without;
			if (had_place(kinds, kinds[lacks], name + i, word, k))
				sum += expf((float)(without - with) / 8);
		}
	}
	return sum;
}

bool letters_may_lack(unsigned int charset, const uint8_t *name, size_t len)
{
	unsigned int first = model_first[charset], cost, best = UINT16_MAX;
	float sum = 0, all = 0;

	/* a letter that is '=' now, and an initial whose full stop is left */
	for (size_t i = 0; i < len; i++) {
		if ((name[i] == '=' && i + 1 < len && name[i + 1] >= 0x80) ||
		    (name[i] == '.' && (!i || name[i - 1] == ' ')))
			return true;
	}
	for (unsigned int r = first; r < model_first[charset + 1]; r++) {
		lack_in(r, name, len, &cost);
		best = cost < best ? cost : best;
	}
	for (unsigned int r = first; r < model_first[charset + 1]; r++) {
		float lack = lack_in(r, name, len, &cost);
		float share = expf(((float)best - (float)cost) / 8);

		sum += share * lack;
		all += share;
	}
	return sum > all * (data_kinds[charset][DATA_UNZIP_LACKS] == LOWER ? LACKS_SMALL :
									     LACKS_CAPITAL);
}
