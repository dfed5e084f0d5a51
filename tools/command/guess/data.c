// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The tables, made ready. */
#include "guess/data.h"

#include <stdlib.h>

#include "guess/letter_tables.h"

#define SINGLE (sizeof(charset_data) / sizeof(charset_data[0]))
#define LANGUAGES (sizeof(language_data) / sizeof(language_data[0]))

_Static_assert(1 + SINGLE + EAST_ASIAN <= MODEL_CHARSETS, "too many charsets");
_Static_assert(LANGUAGES <= MODEL_LANGUAGES, "too many languages");

const struct east_asian_data data_east_asian[EAST_ASIAN] = {
	[CP932] = { "SHIFT_JIS", "CP932", "ja", 0 },
	[EUC_JP] = { "EUC-JP", "EUC-JP-MS", "ja", 8 },
	[GB18030] = { "GBK", "GB18030", "zh", 0 },
	[CP949] = { "EUC-KR", "CP949", "ko", 2 },
	[CP950] = { "BIG5", "BIG5-HKSCS", "zh", 2 },
};

const unsigned int data_single = SINGLE;
const unsigned int data_languages = LANGUAGES;
uint8_t data_kinds[MODEL_CHARSETS][256];
uint64_t data_lacking[256];
const char *const *const data_grids[EAST_ASIAN] = {
	[CP932] = ja_grid, [EUC_JP] = ja_grid, [GB18030] = zh_grid,
	[CP949] = ko_grid, [CP950] = zh_hant_grid,
};

const struct charset_data *data_charset(unsigned int charset)
{
	return &charset_data[charset - 1];
}

const struct language_data *data_language(unsigned int language)
{
	return &language_data[language];
}

bool data_in_alphabet(char16_t c)
{
	for (unsigned int i = 0; i < LANGUAGES; i++) {
		const struct language_data *data = &language_data[i];

		for (unsigned int k = 0; k + FIRST_LETTER < data->size; k++) {
			if (data->letters[k] == c || data->capitals[k] == c)
				return true;
		}
	}
	return false;
}

/* no alphabet goes beyond Thai */
#define ALPHABETS 0x0E80

static uint8_t classes[LANGUAGES][ALPHABETS];

static void init_language(unsigned int number)
{
	const struct language_data *data = &language_data[number];

	for (unsigned int i = data->size - FIRST_LETTER; i-- > 0;) {
		uint8_t class = (uint8_t)(i + FIRST_LETTER);

		if (data->letters[i] >= ALPHABETS ||
		    data->capitals[i] >= ALPHABETS)
			abort();
		classes[number][data->letters[i]] = class;
		classes[number][data->capitals[i]] = class;
	}
}

uint8_t data_class(unsigned int number, char16_t c)
{
	return c < ALPHABETS && classes[number][c] ? classes[number][c] :
						     STRANGER;
}

static void init_charset(unsigned int charset)
{
	const char *kinds = charset_data[charset - 1].kinds;

	for (unsigned int b = 0; b < 0x80; b++)
		data_kinds[charset][b] = !is_ascii_letter((uint8_t)b) ? NEITHER :
					 b & 0x20 ? LOWER : UPPER;
	for (unsigned int b = 0x80; b < 256; b++) {
		data_kinds[charset][b] = (uint8_t)kinds[b - 0x80];
		if (kinds[b - 0x80] == NOTHING)
			data_lacking[b] |= 1ull << charset;
	}
}

void data_init(void)
{
	for (unsigned int i = 0; i < LANGUAGES; i++)
		init_language(i);
	for (unsigned int c = 1; c <= SINGLE; c++)
		init_charset(c);
}
