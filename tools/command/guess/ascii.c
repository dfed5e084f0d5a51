// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The costs of ASCII words in each language. guess/model.c, guess/words.c and
 * guess/asia.c add them up. Without them, right guesses in "all" of bench-guess fall from
 * 98 % to 85 %.
 */
#include "guess/ascii.h"

/* a letter after another: 'a' to 'z' are 1 to 26, the end of a word is this */
#define END 0

static uint16_t ascii_rows[27][27][MODEL_LANGUAGES];
/* all ones for languages of other scripts, which take no word of ASCII */
static uint16_t not_latin[MODEL_LANGUAGES];

void ascii_init(void)
{
	for (unsigned int i = 0; i < MODEL_LANGUAGES; i++) {
		const struct language_data *data = data_language(i);

		if (data->letters[0] != 'a') {
			not_latin[i] = UINT16_MAX;
			continue;
		}
		for (unsigned int a = 0; a < 27; a++) {
			unsigned int from = a ? FIRST_LETTER + a - 1 : NO_LETTER;

			ascii_rows[a][END][i] =
				(uint16_t)data_follows(data, from, NO_LETTER);
			for (unsigned int b = 1; b < 27; b++)
				ascii_rows[a][b][i] = (uint16_t)data_follows(
					data, from, FIRST_LETTER + b - 1);
		}
	}
}

unsigned int ascii_english(const uint8_t *word, size_t len)
{
	unsigned int cost = 0, before = END;

	for (size_t i = 0; i < len; i++) {
		unsigned int now = (word[i] | 0x20u) - 'a' + 1;

		cost += ascii_rows[before][now][ENGLISH];
		before = now;
	}
	return cost + ascii_rows[before][END][ENGLISH];
}

void ascii_add(const uint8_t *s, size_t len, uint16_t costs[static MODEL_LANGUAGES])
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
		unsigned int own = sum[k] | not_latin[k];

		own = own < english ? own : english;
		costs[k] = (uint16_t)(costs[k] + ASCII_WEIGHT(own));
	}
}
