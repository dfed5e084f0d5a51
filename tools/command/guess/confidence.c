// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The confidence in a language that was found for the names of a directory.
 * scan/bad_dir.c calls it. Without it, 19 instead of 5 of 65,000 names in "all" of
 * bench-guess --languages, in directories of 3, are renamed wrongly.
 */
#include "guess/confidence.h"

#include <string.h>

#include "guess/data.h"
#include "guess/letters.h"

/*
 * The lead that a language must have over any other, in eighths of a nat: as much as
 * makes a guess likely.
 */
#define ENOUGH_GAIN 55
/* and what of that the letters have to gain by which two charsets differ */
#define ENOUGH_LETTERS 8

/*
 * For a byte and a charset: the charsets, as bits, that make as good a letter of the byte
 * as that charset does. [1] is for the beginning of a word, where a capital counts as
 * much as a small letter.
 */
static uint64_t equal_as[2][128][MODEL_CHARSETS];

/* The number of a language that is any other of a letter's script; 0: none. */
static unsigned int foreign_of(char16_t c)
{
	if (c < 0x250 || (c >= 0x1E00 && c < 0x1F00))
		return MODEL_FOREIGN;
	return c >= 0x400 && c < 0x530 ? MODEL_FOREIGN + 1 : 0;
}

static uint64_t equals(unsigned int charset, unsigned int byte, bool is_first)
{
	uint8_t kind = data_kinds[charset][byte + 0x80];
	char16_t c = data_charset(charset)->chars[byte];
	uint64_t equal = 0;

	for (unsigned int other = 1; other <= MODEL_SINGLE; other++) {
		char16_t o = data_charset(other)->chars[byte];
		/* nobody wrote another language in the charsets of Vietnamese */
		uint8_t other_kind = data_kinds[other][byte + 0x80];
		bool alike = is_letter(kind) && foreign_of(c) &&
			     !data_charset(other)->joining &&
			     (is_first ? is_letter(other_kind) : other_kind == kind) &&
			     foreign_of(o) == foreign_of(c);

		equal |= (uint64_t)(o == c || alike) << other;
	}
	return equal;
}

void confidence_init(void)
{
	for (unsigned int byte = 0; byte < 128; byte++) {
		for (unsigned int charset = 1; charset <= MODEL_SINGLE; charset++) {
			equal_as[0][byte][charset] = equals(charset, byte, false);
			equal_as[1][byte][charset] = equals(charset, byte, true);
		}
	}
}

void confidence_begin(struct confidence *conf, unsigned int charset)
{
	*conf = (struct confidence){ .charset = charset, .equal = ~0ull };
}

/* A byte's letter in the language that was found, and in any other of its script. */
struct classes {
	unsigned int own, foreign;
};

static struct classes classes_of(unsigned int reading, unsigned int foreign, uint8_t byte)
{
	unsigned int charset = model_reading[reading].charset;
	struct classes classes = { model_classes[reading][byte], NO_LETTER };
	char16_t c = byte < 0x80 ? (char16_t)(byte | 0x20) :
				   data_charset(charset)->chars[byte - 0x80];

	/* a letter of ASCII in another script says nothing */
	if (classes.own == LATIN)
		classes.own = NO_LETTER;
	else if (is_letter(data_kinds[charset][byte]))
		classes.foreign = data_class(foreign, c);
	return classes;
}

static void add_word(struct confidence *conf, unsigned int reading,
		     unsigned int foreign, const uint8_t *s, size_t len)
{
	unsigned int language = model_reading[reading].language;
	const struct language_data *own = data_language(language);
	const struct language_data *other = data_language(foreign);
	struct classes before = { NO_LETTER, NO_LETTER }, now;

	for (size_t i = 0; i <= len; i++, before = now) {
		int gain;

		now = (struct classes){ NO_LETTER, NO_LETTER };
		if (i < len)
			now = classes_of(reading, foreign, s[i]);
		gain = (int)data_follows(other, before.foreign, now.foreign) -
		       (int)data_follows(own, before.own, now.own);
		if (now.foreign == OTHER_LETTER) {
			conf->letters[s[i] - 0x80] += gain;
			conf->counts[s[i] - 0x80]++;
			conf->languages[s[i] - 0x80] |= (uint64_t)(gain > 0) << language;
		} else if (before.foreign == OTHER_LETTER) {
			conf->letters[s[i - 1] - 0x80] += gain;
		} else if (before.own != NO_LETTER || now.own != NO_LETTER) {
			conf->common[language] += gain;
		}
	}
}

void confidence_add(struct confidence *conf, unsigned int reading, const uint8_t *name,
		    size_t len)
{
	len = stem_length(name, len);
	for (size_t i = 0; i < len;) {
		unsigned int foreign = 0;
		bool high;
		size_t word = letters_word_at(name + i, len - i, &high);

		for (size_t k = i; high && k < i + word; k++) {
			if (name[k] < 0x80)
				continue;
			conf->equal &= equal_as[k == i][name[k] - 0x80]
					       [conf->charset];
			if (is_letter(data_kinds[conf->charset][name[k]]))
				foreign = foreign_of(data_charset(conf->charset)
						     ->chars[name[k] - 0x80]);
		}
		if (foreign)
			add_word(conf, reading, foreign, name + i, word);
		i += word ? word : 1;
	}
}

uint64_t confidence_rivals(const struct confidence *conf, unsigned int language,
			   int64_t others)
{
	uint64_t rivals = 0;

	for (uint64_t left = conf->equal; left; left &= left - 1) {
		unsigned int other = (unsigned int)__builtin_ctzll(left);
		uint64_t languages = 0;
		int64_t common = 0;
		int letters = 0;

		if (!other || model_is_wide(other) || other == conf->charset)
			continue;
		for (unsigned int b = 0; b < 128; b++) {
			if (!conf->counts[b] || data_charset(other)->chars[b] ==
			    data_charset(conf->charset)->chars[b])
				continue;
			/* a letter counts once, however often it occurs */
			letters += conf->letters[b] / (int)conf->counts[b];
			languages |= conf->languages[b];
		}
		for (unsigned int k = 0; k < MODEL_LANGUAGES; k++)
			common += languages >> k & 1 ? conf->common[k] : 0;
		/* evidence for a language, which need not be that of this directory */
		if (languages >> language & 1)
			common += others < ENOUGH_GAIN ? others : ENOUGH_GAIN;
		if (letters < ENOUGH_LETTERS || common + letters < ENOUGH_GAIN)
			rivals |= 1ull << other;
	}
	return rivals;
}
