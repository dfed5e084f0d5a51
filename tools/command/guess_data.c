// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The tables, made ready; the readings, and how probable each is by itself. */
#include "guess_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "guess_tables.h"

#define SINGLE (sizeof(charset_data) / sizeof(charset_data[0]))
#define LANGUAGES (sizeof(language_data) / sizeof(language_data[0]))

_Static_assert(1 + SINGLE + EAST_ASIAN <= MODEL_CHARSETS, "too many charsets");
_Static_assert(LANGUAGES <= MODEL_LANGUAGES, "too many languages");

static const struct {
	const char *name, *variant, *language;
	unsigned int rare;
} east_asian[EAST_ASIAN] = {
	[CP932] = { "SHIFT_JIS", "CP932", "ja", 0 },
	[EUC_JP] = { "EUC-JP", "EUC-JP-MS", "ja", 8 },
	[GB18030] = { "GBK", "GB18030", "zh", 0 },
	[CP949] = { "EUC-KR", "CP949", "ko", 2 },
	[CP950] = { "BIG5", "BIG5-HKSCS", "zh", 2 },
};

struct model_reading model_reading[MODEL_READINGS];
float model_prior[MODEL_READINGS], model_in_charset[MODEL_READINGS];
uint8_t model_listed[MODEL_READINGS];
unsigned int model_first[MODEL_CHARSETS + 1];
uint8_t model_charset_at[MODEL_CHARSETS];
unsigned int model_row[MODEL_GROUPS + 1];

const unsigned int data_single = SINGLE;
const unsigned int data_languages = LANGUAGES;
unsigned int data_single_readings;
uint8_t data_kinds[MODEL_CHARSETS][256];
uint8_t data_classes[MODEL_READINGS][256];
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

static uint8_t class_of(unsigned int number, char16_t c)
{
	return c < ALPHABETS && classes[number][c] ? classes[number][c] :
						     STRANGER;
}

static void init_classes(unsigned int charset, unsigned int number,
			 uint8_t class[static 256])
{
	const struct language_data *data = &language_data[number];
	bool latin = data->letters[0] == 'a';

	for (unsigned int b = 0; b < 256; b++) {
		char16_t c = b < 0x80 ? (char16_t)b :
			     charset_data[charset - 1].chars[b - 0x80];

		if (!is_letter(data_kinds[charset][b]))
			class[b] = NO_LETTER;
		else if (b < 0x80 && !latin)
			class[b] = LATIN;
		else
			class[b] = class_of(number, c);
	}
}

static bool is_written_in(unsigned int language, unsigned int charset)
{
	return language_data[language].charsets >> (charset - 1) & 1;
}

/* Readings of a charset. */
static unsigned int count_readings(unsigned int charset)
{
	unsigned int count = 0;

	/* that it is none is one, too */
	if (!charset || charset > SINGLE)
		return charset <= SINGLE + EAST_ASIAN;
	for (unsigned int i = 0; i < LANGUAGES; i++)
		count += is_written_in(i, charset);
	return count;
}

/* Those with most readings first, after none at all, whose number is MODEL_NOISE. */
static void init_places(unsigned int count[static MODEL_CHARSETS])
{
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		unsigned int place = c;

		count[c] = count_readings(c);
		while (place > 1 &&
		       count[model_charset_at[place - 1]] < count[c]) {
			model_charset_at[place] = model_charset_at[place - 1];
			place--;
		}
		model_charset_at[place] = (uint8_t)c;
	}
}

static void init_reading(unsigned int reading, unsigned int charset,
			 unsigned int number)
{
	unsigned int rare = charset > SINGLE ? east_asian[number].rare : 32;

	model_reading[reading].charset = (uint8_t)charset;
	if (charset && charset <= SINGLE) {
		model_reading[reading].language = (uint8_t)number;
		init_classes(charset, number, data_classes[reading]);
		rare = language_data[number].rare +
		       charset_data[charset - 1].rare;
	}
	model_prior[reading] = expf(-(float)rare / 8);
}

/* The readings of the charset at a place: rows apart, from the first on. */
static void init_readings(unsigned int charset, unsigned int first)
{
	unsigned int listed = model_first[charset], reading = first;

	for (unsigned int i = 0; i < LANGUAGES; i++) {
		unsigned int number = i;

		if (charset > SINGLE)
			number = charset - data_single - 1;
		else if (charset && !is_written_in(i, charset))
			continue;
		if (listed == model_first[charset + 1])
			break;
		init_reading(reading, charset, number);
		model_listed[listed++] = (uint8_t)reading;
		reading += MODEL_LANES;
	}
}

/* The system's language, as setlocale() looks for it. */
static const char *own_language(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (unsigned int i = 0; i < 3; i++) {
		const char *value = getenv(variables[i]);

		if (value && *value)
			return value;
	}
	return "";
}

static bool is_own(const char *language)
{
	const char *own = own_language();
	size_t len = strlen(language);

	if (!strcmp(language, "no") && (!strncmp(own, "nb", 2) ||
					!strncmp(own, "nn", 2)))
		return true;
	return !strncmp(own, language, len) &&
	       (own[len] == '_' || own[len] == '.' || own[len] == '\0');
}

/* The readings' shares: among all, and in their charset. */
static void init_priors(void)
{
	float sum = 0, in_charset[MODEL_CHARSETS] = { 0 };

	for (unsigned int i = 0; i < model_first[MODEL_CHARSETS]; i++) {
		unsigned int r = model_listed[i];
		const struct model_reading *reading = &model_reading[r];
		const char *language = "";

		if (reading->charset > SINGLE)
			language = east_asian[reading->charset - SINGLE - 1]
					   .language;
		else if (reading->charset)
			language = language_data[reading->language].name;
		/* the system's own language is the more probable one */
		if (*language && is_own(language))
			model_prior[r] *= 8;
		sum += model_prior[r];
		in_charset[reading->charset] += model_prior[r];
	}
	for (unsigned int i = 0; i < model_first[MODEL_CHARSETS]; i++) {
		unsigned int r = model_listed[i];

		model_in_charset[r] = model_prior[r] /
				      in_charset[model_reading[r].charset];
		model_prior[r] /= sum;
	}
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
	unsigned int count[MODEL_CHARSETS], rows = 0;

	for (unsigned int i = 0; i < LANGUAGES; i++)
		init_language(i);
	for (unsigned int c = 1; c <= SINGLE; c++)
		init_charset(c);
	init_places(count);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		model_first[c + 1] = model_first[c] + count[c];
	data_single_readings = model_first[SINGLE + 1];
	for (unsigned int place = 0; place < MODEL_CHARSETS; place++) {
		unsigned int group = place / MODEL_LANES;

		if (place % MODEL_LANES == 0) {
			model_row[group] = rows;
			/* none but the first may have fewer than the next */
			rows += count[model_charset_at[place + !place]];
			model_row[group + 1] = rows;
			if (rows * MODEL_LANES > MODEL_READINGS)
				abort();
		}
		init_readings(model_charset_at[place],
			      model_row[group] * MODEL_LANES +
				      place % MODEL_LANES);
	}
	init_priors();
}

const char *model_charset_name(unsigned int charset)
{
	return charset > SINGLE ? east_asian[charset - SINGLE - 1].name :
				  charset_data[charset - 1].name;
}

const char *model_charset_variant(unsigned int charset)
{
	return charset > SINGLE ? east_asian[charset - SINGLE - 1].variant :
				  NULL;
}

bool model_is_plain(const char *name)
{
	for (unsigned int c = 0; c < SINGLE; c++) {
		if (!strcmp(charset_data[c].name, name))
			return strcmp(name, "WINDOWS-1255") != 0;
	}
	return false;
}
