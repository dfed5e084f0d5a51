// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Double-encoded names: UTF-8 of bytes that were UTF-8 already. scan/misread.c and
 * scan/mixed.c call it.
 */
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

static const char windows[] = "WINDOWS-1252";

/* Signs that stand right after a word, so that they may be what they seem. */
static const char16_t after_words[] =
	u"\u00A0\u00AE\u00B7\u00BB\u2018\u2019\u201A\u201C\u201D\u201E\u2026"
	u"\u2013\u2014\u2039\u203A\u2122";

/* A name as it is, and as it would have been. */
struct reading {
	const uint8_t *name;
	size_t len;
	struct text bytes;	/* the bytes that were taken for another charset */
	unsigned int sequences;	/* of more than one byte, in these */
	bool certain;		/* one of them is nothing that anybody writes */
};

unsigned int doubled_bytes(unsigned int charset, const void *name, size_t len,
			   struct text *bytes)
{
	const char16_t *chars = data_charset(charset)->chars;
	unsigned int count = 0;
	uint32_t cp;

	bytes->len = 0;
	for_each_character(cp, name, len) {
		unsigned int b = 0;
		uint8_t byte;

		while (cp >= 0x80 && b < 128 && chars[b] != cp &&
		       !(chars[b] == 0xFFFD && cp == b + 0x80))
			b++;
		if (b == 128 || cp == 0xFFFD)
			return 0;
		byte = (uint8_t)(cp < 0x80 ? (unsigned int)cp : b + 0x80);
		count += cp >= 0x80;
		text_add(bytes, &byte, 1);
	}
	return count;
}

/* How certain is it, by the sequences alone? */
static void count_sequences(struct reading *reading)
{
	const uint8_t *begin = (const uint8_t *)reading->bytes.bytes;
	const uint8_t *pos = begin, *end = pos + reading->bytes.len;
	const char16_t *chars = data_charset(model_charset(windows))->chars;

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
			reading->certain |= !is_one_of(after_words, chars[*from - 0x80]);
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

/* The state of reading a name. */
struct word {
	const uc_script_t *script;	/* of the word so far; NULL: none yet */
	uint32_t before, before2;
};

static bool is_semitic(uint32_t cp)
{
	return cp >= 0x590 && cp < 0x700;
}

/*
 * A mark belongs to the letter before. Two bytes may be a letter and a sign by chance. So
 * only those count that make another letter of the letter (macOS decomposes letters), and
 * those of Hebrew and Arabic.
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
		return cp >= 0x800 || cp < 0x370 || is_semitic(cp);
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
		if (reads_odd_case(cp, word.before, word.before2))
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
	bool good, odd;

	model_init();
	good = (doubled_bytes(model_charset(windows), name, len, bytes) ||
		doubled_bytes(model_charset("ISO-8859-1"), name, len, bytes)) &&
	       utf8val_valid(bytes->bytes, bytes->len);
	/* ISO 8859-1 that is UTF-8 has become shorter, and is not ASCII */
	if (good && doubled_decode(bytes->bytes, bytes->len, to)) {
		text_free(bytes);
		return true;
	}
	odd = good && model_is_odd(model_charset(windows), (const uint8_t *)bytes->bytes,
				   bytes->len);
	good = good && (odd || !reads_well(name, len)) && is_plausible(&reading) &&
	       (odd || reading.certain || reading.sequences >= ENOUGH);
	if (good)
		text_add(to, bytes->bytes, bytes->len);
	text_free(bytes);
	return good;
}
