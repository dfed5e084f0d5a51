// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The readings, and how probable each is by itself. */
#include "guess/reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "guess/data.h"

struct model_reading model_reading[MODEL_READINGS];
float model_prior[MODEL_READINGS], model_in_charset[MODEL_READINGS];
uint8_t model_listed[MODEL_READINGS];
unsigned int model_first[MODEL_CHARSETS + 1];
uint8_t model_charset_at[MODEL_CHARSETS];
unsigned int model_row[MODEL_GROUPS + 1];
uint8_t model_classes[MODEL_READINGS][256];
unsigned int model_single_readings;

static void init_classes(unsigned int charset, unsigned int number,
			 uint8_t class[static 256])
{
	const struct language_data *data = data_language(number);
	bool latin = data->letters[0] == 'a';

	for (unsigned int b = 0; b < 256; b++) {
		char16_t c = b < 0x80 ? (char16_t)b :
			     data_charset(charset)->chars[b - 0x80];

		if (!is_letter(data_kinds[charset][b]))
			class[b] = NO_LETTER;
		else if (b < 0x80 && !latin)
			class[b] = LATIN;
		else
			class[b] = data_class(number, c);
	}
}

static bool is_written_in(unsigned int language, unsigned int charset)
{
	return data_language(language)->charsets >> (charset - 1) & 1;
}

/* Readings of a charset. */
static unsigned int count_readings(unsigned int charset)
{
	unsigned int count = 0;

	/* that it is none is one, too */
	if (!charset || charset > data_single)
		return charset <= data_single + EAST_ASIAN;
	for (unsigned int i = 0; i < data_languages; i++)
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
	unsigned int rare = charset > data_single ? data_east_asian[number].rare : 32;

	model_reading[reading].charset = (uint8_t)charset;
	if (charset && charset <= data_single) {
		model_reading[reading].language = (uint8_t)number;
		init_classes(charset, number, model_classes[reading]);
		rare = data_language(number)->rare +
		       data_charset(charset)->rare;
	}
	model_prior[reading] = expf(-(float)rare / 8);
}

/* The readings of the charset at a place: rows apart, from the first on. */
static void init_readings(unsigned int charset, unsigned int first)
{
	unsigned int listed = model_first[charset], reading = first;

	for (unsigned int i = 0; i < data_languages; i++) {
		unsigned int number = i;

		if (charset > data_single)
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

		if (reading->charset > data_single)
			language = data_east_asian[reading->charset - data_single - 1]
					   .language;
		else if (reading->charset)
			language = data_language(reading->language)->name;
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

void reading_init(void)
{
	unsigned int count[MODEL_CHARSETS], rows = 0;

	init_places(count);
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++)
		model_first[c + 1] = model_first[c] + count[c];
	model_single_readings = model_first[data_single + 1];
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
	return charset > data_single ? data_east_asian[charset - data_single - 1].name :
				  data_charset(charset)->name;
}

const char *model_charset_variant(unsigned int charset)
{
	return charset > data_single ? data_east_asian[charset - data_single - 1].variant :
				  NULL;
}

bool model_is_plain(const char *name)
{
	for (unsigned int c = 0; c < data_single; c++) {
		if (!strcmp(data_charset(c + 1)->name, name))
			return strcmp(name, "WINDOWS-1255") != 0;
	}
	return false;
}
