// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The candidate decodings (charset and language), and the prior probability of each.
 * guess/model.c reads them. Without it, no row of bench-guess has a guess.
 */
#include "guess/reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "guess/data.h"

struct model_reading model_reading[MODEL_READINGS];
unsigned int model_first[MODEL_CHARSETS + 1];
float model_prior[MODEL_READINGS], model_in_charset[MODEL_READINGS];
uint8_t model_classes[MODEL_READINGS][256];

static void init_readings(void)
{
	unsigned int r = MODEL_NOISE + 1, c = 1;

	for (; c <= MODEL_SINGLE; c++) {
		const struct charset_data *data = data_charset(c);

		model_first[c] = r;
		for (unsigned int i = 0; i < data->count; i++)
			model_reading[r++] =
				(struct model_reading){ (uint8_t)c, data->languages[i] };
	}
	for (; c < MODEL_CHARSETS; c++) {
		model_first[c] = r;
		model_reading[r++] = (struct model_reading){
			(uint8_t)c, (uint8_t)(c - MODEL_SINGLE - 1) };
	}
	model_first[MODEL_CHARSETS] = r;
}

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

/*
 * Is it the system's language? A user with messages in English may have dates or paper
 * as another country has them.
 */
static bool is_own(const char *language)
{
	static const char *const variables[] = { "LC_ALL",	"LC_CTYPE", "LANG",
						 "LC_MONETARY", "LC_PAPER", "LC_TIME" };
	size_t len = strlen(language);

	for (unsigned int i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *own = getenv(variables[i]);

		if (!own || !*own)
			continue;
		if (!strcmp(language, "no") && (!strncmp(own, "nb", 2) || !strncmp(own, "nn", 2)))
			return true;
		if (!strncmp(own, language, len) &&
		    (own[len] == '_' || own[len] == '.' || own[len] == '\0'))
			return true;
		/* it stands for all others */
		if (!i)
			return false;
	}
	return false;
}

/*
 * How much more probable the system's language is than another that is as rare. Others
 * have two thirds of all chances together beside a common one: names come from elsewhere.
 */
#define OWN 16
/* what it is that a name is in nothing known here, in eighths of a nat */
#define RARE_NOISE 32

/* How probable a reading is, beside others: the system's own language more so. */
static float weight_of(const struct model_reading *reading)
{
	unsigned int rare = RARE_NOISE;
	const char *language = "";

	if (reading->charset > MODEL_SINGLE) {
		rare = data_east_asian[reading->language].rare;
		language = data_east_asian[reading->language].language;
	} else if (reading->charset) {
		rare = data_language(reading->language)->rare +
		       data_charset(reading->charset)->rare;
		language = data_language(reading->language)->name;
	}
	return expf(-(float)rare / 8) * (*language && is_own(language) ? OWN : 1);
}

/* The readings' shares: among all, and in their charset. */
static void init_priors(void)
{
	float sum = 0, in_charset[MODEL_CHARSETS] = { 0 };

	for (unsigned int r = 0; r < MODEL_GAPS; r++) {
		model_prior[r] = weight_of(&model_reading[r]);
		sum += model_prior[r];
		in_charset[model_reading[r].charset] += model_prior[r];
	}
	for (unsigned int r = 0; r < MODEL_GAPS; r++) {
		model_in_charset[r] = model_prior[r] /
				      in_charset[model_reading[r].charset];
		model_prior[r] /= sum;
	}
}

void reading_init(void)
{
	init_readings();
	for (unsigned int r = 1; r < MODEL_WIDE; r++)
		init_classes(model_reading[r].charset, model_reading[r].language,
			     model_classes[r]);
	init_priors();
}

const char *model_charset_name(unsigned int charset)
{
	return charset > MODEL_SINGLE ? data_east_asian[charset - MODEL_SINGLE - 1].name :
				  data_charset(charset)->name;
}

const char *model_charset_variant(unsigned int charset)
{
	return charset > MODEL_SINGLE ? data_east_asian[charset - MODEL_SINGLE - 1].variant :
				  NULL;
}

unsigned int model_charset(const char *name)
{
	unsigned int charset = MODEL_SINGLE;

	while (charset && strcasecmp(data_charset(charset)->name, name) != 0)
		charset--;
	return charset;
}
