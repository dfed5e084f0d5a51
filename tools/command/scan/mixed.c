// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Names of which only a part is UTF-8. scan/bad_dir.c finds them; scan/bad.c and
 * fix/choose.c convert them.
 */
#include "scan/mixed.h"

#include <stdbool.h>
#include <stdint.h>
#include <unictype.h>

#include "guess/data.h"
#include "scan/misread.h"
#include "scan/reads.h"
#include "utf8val.h"

/*
 * So many characters of several bytes are no chance when they follow each other. The
 * first number is for a charset of single bytes, the second for one where they often
 * come in pairs.
 */
#define RUN_SINGLE 6
#define RUN_WIDE 3

/* A name while its sequences of more than one byte are looked at. */
struct parts {
	struct guesser *guesser;
	const struct guess *guess;
	const uint8_t *name, *end;
	/* sequences that the charset makes words of, and those that it does not */
	unsigned int words, odd;
	bool single;		/* the charset has one byte for each character */
	bool is_unusual;	/* one of the latter is hardly ever written */
	unsigned int run;	/* sequences in turn: most of them */
};

/* Is this a letter, and none of the three that are signs rather? */
static bool is_word_letter(uint32_t cp)
{
	return cp != 0xAA && cp != 0xB5 && cp != 0xBA && uc_is_alpha((ucs4_t)cp);
}

/* All that is one byte in a charset of single bytes is a character, or nothing. */
static void convert_byte(const struct parts *parts, uint8_t byte, struct text *to)
{
	to->len = 0;
	guess_convert(parts->guesser, parts->guess, &byte, 1, to);
}

/*
 * Has the charset one byte for each character? Those that have more for some begin
 * them with bytes like this one, in which all others have a letter.
 */
static bool is_single(const struct parts *parts)
{
	text_auto text = { 0 };

	convert_byte(parts, 0xE5, &text);
	return text.len;
}

/*
 * Does the charset make letters of a sequence, and of the script of those beside it,
 * if the sequence's own letter is of that script?
 */
static bool is_word(const struct parts *parts, const uint8_t *pos,
		    const uint8_t *after, uint32_t cp)
{
	const uc_script_t *own = uc_script((ucs4_t)cp), *latin = uc_script('a');
	bool is_after_small = pos > parts->name && pos[-1] >= 'a' && pos[-1] <= 'z';
	bool is_beside = (pos > parts->name && is_ascii_letter(pos[-1])) ||
			 (after < parts->end && is_ascii_letter(*after));
	text_auto text = { 0 };
	bool word = true, has_quote = false, has_other = false;

	for (; pos < after && word; pos++) {
		const uint8_t *letter;
		uint32_t c;

		convert_byte(parts, *pos, &text);
		letter = (const uint8_t *)text.bytes;
		if (!text.len ||
		    utf8val_next(&letter, letter + text.len, &c) != UTF8VAL_OK)
			c = 0;
		if (c == 0x2019) {
			has_quote = true;
			continue;
		}
		word = is_word_letter(c) &&
		       !(is_after_small && uc_is_property_uppercase((ucs4_t)c)) &&
		       !(is_beside && own == latin && uc_script((ucs4_t)c) != latin);
		is_after_small = false;
		has_other |= uc_script((ucs4_t)c) != latin;
	}
	/* an apostrophe inside Ukrainian words */
	return word && (!has_quote || has_other);
}

/* Is this a character of names, whatever stands beside it? */
static bool is_usual(uint32_t cp)
{
	if (cp < 0x800 && uc_is_alpha((ucs4_t)cp))
		return data_in_alphabet((char16_t)cp);
	return cp >= 0xA0 &&
	       uc_is_general_category_withtable(
		       (ucs4_t)cp, UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_N |
				   UC_CATEGORY_MASK_P | UC_CATEGORY_MASK_S);
}

/* Is this a Latin letter in a word that goes on in ASCII on both sides? */
static bool is_latin_inside(const struct parts *parts, const uint8_t *pos,
			    const uint8_t *after, uint32_t cp)
{
	return cp < 0x180 && data_in_alphabet((char16_t)cp) &&
	       pos > parts->name && is_ascii_letter(pos[-1]) &&
	       after < parts->end && is_ascii_letter(*after);
}

/* Of well-formed bytes. */
static void count_sequences(struct parts *parts, const uint8_t *pos, const uint8_t *end)
{
	unsigned int run = 0;

	while (pos < end) {
		const uint8_t *from = pos;
		uint32_t cp;

		if (utf8val_next(&pos, end, &cp) != UTF8VAL_OK)
			cp = 0;
		run = cp < 0x80 ? 0 : run + (cp >= 0x800 || parts->single);
		parts->run = run > parts->run ? run : parts->run;
		if (cp < 0x80)
			continue;
		if (!parts->single) {
			parts->odd += is_latin_inside(parts, from, pos, cp);
		} else if (is_word(parts, from, pos, cp)) {
			parts->words++;
		} else {
			parts->odd++;
			parts->is_unusual |= !is_usual(cp);
		}
	}
}

/* Do letters beyond ASCII belong to two scripts? */
static bool joins_scripts(const struct text *name)
{
	const uc_script_t *before = NULL, *now;
	uint32_t cp;

	for_each_character(cp, name->bytes, name->len) {
		now = cp >= 0x80 && uc_is_alpha((ucs4_t)cp) ?
			      uc_script((ucs4_t)cp) : NULL;
		if (before && now && !reads_same_script(before, now))
			return true;
		before = now ? now : before;
	}
	return false;
}

/* Does a well-formed sequence of more than one byte stand here? */
static bool begins_well(const uint8_t *pos, const uint8_t *end)
{
	uint32_t cp;

	return utf8val_next(&pos, end, &cp) == UTF8VAL_OK && cp >= 0x80;
}

bool mixed_is_utf8(const void *name, size_t len)
{
	const uint8_t *pos = name, *end = pos + len;
	text_auto good = { 0 };

	while (pos < end) {
		struct utf8val_result r = utf8val_check(pos, (size_t)(end - pos));

		text_add(&good, pos, r.valid);
		text_add(&good, " ", 1);
		/* by chance they stand among others of a charset */
		if (r.bad && ((r.valid && pos[r.valid - 1] >= 0x80) ||
			      (begins_well(pos + r.valid + r.bad, end))))
			return false;
		pos += r.valid + r.bad;
	}
	return !text_is_ascii(good.bytes, good.len) && misread_is_utf8(good.bytes, good.len);
}

enum mixed mixed_convert(struct guesser *guesser, const struct guess *guess,
			 const void *name, size_t len, struct text *to)
{
	const uint8_t *pos = name, *end = pos + len;
	struct parts parts = { .guesser = guesser, .guess = guess, .name = pos,
			       .end = end };
	/* what is well-formed, a space for the rest; and the new name */
	text_auto good = { 0 }, new = { 0 };
	enum mixed mixed = MIXED_NOT;
	bool fits = true;

	if (guess->kind != GUESS_CHARSET)
		return MIXED_NOT;
	parts.single = is_single(&parts);
	while (pos < end) {
		struct utf8val_result r = utf8val_check(pos, (size_t)(end - pos));

		count_sequences(&parts, pos, pos + r.valid);
		text_add(&good, pos, r.valid);
		text_add(&new, pos, r.valid);
		pos += r.valid;
		if (!r.bad)
			continue;
		text_add(&good, " ", 1);
		fits = fits && guess_convert(guesser, guess, pos, r.bad, &new);
		pos += r.bad;
	}
	if (parts.run >= (parts.single ? RUN_SINGLE : RUN_WIDE) ||
	    (parts.odd && !parts.is_unusual))
		mixed = MIXED_DOUBT;
	if (mixed == MIXED_DOUBT && parts.single && fits && !parts.words &&
	    !joins_scripts(&new) && misread_is_utf8(good.bytes, good.len)) {
		text_add(to, new.bytes, new.len);
		mixed = MIXED_KEPT;
	}
	return mixed;
}
