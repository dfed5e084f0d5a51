// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Double-encoded names: UTF-8 of bytes that were UTF-8 already. */
#include "scan/doubled.h"

#include <stdint.h>
#include <string.h>
#include <uninorm.h>
#include <unictype.h>

#include "base/newname.h"
#include "guess/data.h"
#include "guess/model.h"
#include "scan/reads.h"
#include "utf8val.h"

/* so many sequences cannot be well-formed by chance, whatever they follow */
#define ENOUGH 2
/* and then letters of an alphabet that no table here has are accepted */
#define MANY 3

/* Windows-1252 from 0x80 to 0x9F; 0 where it has nothing */
static const char16_t windows[32] =
	u"\u20AC\0\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039"
	u"\u0152\0\u017D\0\0\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC"
	u"\u2122\u0161\u203A\u0153\0\u017E\u0178";

/* Signs that stand right after a word, so that they may be what they seem. */
static const char16_t after_words[] =
	u"\u00A0\u00AE\u00B7\u00BB\u2018\u2019\u201A\u201C\u201D\u201E\u2026"
	u"\u2013\u2014\u2039\u203A\u2122";

/* A name as it is, and as it would have been. */
struct reading {
	const uint8_t *name;
	size_t len;
	struct text bytes;	/* what had been taken for another charset */
	unsigned int sequences;	/* of more than one byte, in these */
	bool certain;		/* one of them is nothing that anybody writes */
};

/*
 * The byte that a character was made of; -1: it was not. What Windows-1252 lacks
 * passes for ISO 8859-1's control there, as in most programs.
 */
static int byte_of(uint32_t cp)
{
	if (cp < 0x100)
		return (int)cp;
	for (unsigned int i = 0; i < 32; i++) {
		if (windows[i] == cp)
			return (int)(0x80 + i);
	}
	return -1;
}

/* Not both: a control where Windows-1252 has a sign, and such a sign. */
static bool take_bytes(struct reading *reading)
{
	bool latin1 = false, cp1252 = false;
	uint32_t cp;

	for_each_character(cp, reading->name, reading->len) {
		int byte = byte_of(cp);
		uint8_t unit = (uint8_t)byte;

		if (byte < 0)
			return false;
		cp1252 |= cp >= 0x100;
		latin1 |= cp >= 0x80 && cp < 0xA0 && windows[cp - 0x80];
		text_add(&reading->bytes, &unit, 1);
	}
	return !(latin1 && cp1252);
}

static bool is_after_words(uint8_t byte)
{
	return is_one_of(after_words, byte < 0xA0 ? windows[byte - 0x80] : byte);
}

/* How certain is it, by the sequences alone? */
static void count_sequences(struct reading *reading)
{
	const uint8_t *begin = (const uint8_t *)reading->bytes.bytes;
	const uint8_t *pos = begin, *end = pos + reading->bytes.len;

	while (pos < end) {
		const uint8_t *from = pos;
		uint32_t cp;

		if (utf8val_next(&pos, end, &cp) != UTF8VAL_OK || cp < 0x80)
			continue;
		reading->sequences++;
		/* no word ends in "Â" where its blank is not to break a line */
		reading->certain |= cp == 0xA0;
		/* a word's small letter, and then a capital: "modalitÃ" */
		if (from > begin && from[-1] >= 'a' && from[-1] <= 'z')
			reading->certain |= uc_is_property_uppercase(*from);
		while (++from < pos)
			reading->certain |= !is_after_words(*from);
	}
}

bool doubled_same_script(const uc_script_t *a, const uc_script_t *b)
{
	static const char *const asian[] = { "Han", "Hiragana", "Katakana" };
	int both = 0;

	for (unsigned int i = 0; i < sizeof(asian) / sizeof(asian[0]); i++)
		both += !strcmp(a->name, asian[i]) + !strcmp(b->name, asian[i]);
	return a == b || both == 2;
}

/* What has been read of a name. */
struct word {
	const uc_script_t *script;	/* of the word so far; NULL: none yet */
	uint32_t before, before2;
};

static bool is_semitic(uint32_t cp)
{
	return cp >= 0x590 && cp < 0x700;
}

/* A letter's case, in a word, after two others that stand beside it. */
static bool is_odd_case(const struct word *word, uint32_t cp)
{
	bool lower = uc_is_property_lowercase((ucs4_t)cp);
	bool upper = uc_is_property_uppercase((ucs4_t)cp);

	if (upper && uc_is_property_lowercase((ucs4_t)word->before))
		return (cp | word->before) >= 0x80;
	return lower && uc_is_property_uppercase((ucs4_t)word->before) &&
	       uc_is_property_uppercase((ucs4_t)word->before2) &&
	       (cp | word->before | word->before2) >= 0x80;
}

/*
 * A mark belongs to the letter before. Of those of two bytes, which a letter and a sign
 * may be by chance, only such as make another letter of it, as macOS takes letters apart,
 * and those of Hebrew and Arabic.
 */
static bool take_mark(struct word *word, uint32_t cp)
{
	if (cp >= 0x800 || (is_semitic(cp) && is_semitic(word->before)))
		return true;
	word->before = uc_composition(word->before, cp);
	return word->before;
}

/* A character beyond ASCII, by itself. */
static bool is_usual(const struct reading *reading, uint32_t cp)
{
	if (!uc_is_general_category_withtable(
		    (ucs4_t)cp, UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_M |
				UC_CATEGORY_MASK_N | UC_CATEGORY_MASK_P |
				UC_CATEGORY_MASK_S | UC_CATEGORY_MASK_Zs))
		return false;
	/* what has three bytes is no letter and a sign, or two, by chance */
	if (cp >= 0x800 || !uc_is_alpha((ucs4_t)cp))
		return true;
	/* Romanian's letters with a comma, which older charsets lack */
	return (cp >= 0x218 && cp <= 0x21B) ||
	       data_in_alphabet((char16_t)cp) || reading->sequences >= MANY;
}

/* Are letters and signs such as stand together? */
static bool has_usual_words(const struct reading *reading)
{
	struct word word = { 0 };
	uint32_t cp;

	for_each_character(cp, reading->bytes.bytes, reading->bytes.len) {
		const uc_script_t *script = uc_script((ucs4_t)cp);

		if (cp >= 0x80 && !is_usual(reading, cp))
			return false;
		if (uc_is_general_category_withtable((ucs4_t)cp, UC_CATEGORY_MASK_M)) {
			if (!take_mark(&word, cp))
				return false;
			continue;
		}
		if (!uc_is_alpha((ucs4_t)cp)) {
			word = (struct word){ 0 };
			continue;
		}
		if (word.script && reading->sequences < ENOUGH &&
		    !doubled_same_script(word.script, script))
			return false;
		if (is_odd_case(&word, cp))
			return false;
		word = (struct word){ script, cp, word.before };
	}
	return true;
}

/* Would somebody have given this name? Its sequences are counted. */
static bool is_plausible(struct reading *reading)
{
	const struct text *bytes = &reading->bytes;

	count_sequences(reading);
	return has_usual_words(reading) &&
	       !newname_trouble(reading->name, reading->len, bytes->bytes, bytes->len);
}

bool doubled_is_plausible(const void *name, size_t len, const struct text *bytes)
{
	struct reading reading = { .name = name, .len = len, .bytes = *bytes };

	return is_plausible(&reading);
}

bool doubled_decode(const void *name, size_t len, struct text *to)
{
	struct reading reading = { .name = name, .len = len };
	struct text *bytes = &reading.bytes;
	bool good = take_bytes(&reading) && bytes->len < len &&
		    utf8val_valid(bytes->bytes, bytes->len);
	bool odd;

	/* ISO 8859-1 that is UTF-8 has become shorter, and is not ASCII */
	if (good && doubled_decode(bytes->bytes, bytes->len, to)) {
		text_free(bytes);
		return true;
	}
	model_init();
	odd = good && model_is_odd(model_charset("WINDOWS-1252"),
				   (const uint8_t *)bytes->bytes, bytes->len);
	good = good && (odd || !reads_well(name, len)) && is_plausible(&reading) &&
	       (odd || reading.certain || reading.sequences >= ENOUGH);
	if (good)
		text_add(to, bytes->bytes, bytes->len);
	text_free(bytes);
	return good;
}
