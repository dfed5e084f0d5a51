// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The guess for one name: by its form, or by a charset beside which all others are
 * unlikely. scan/bad_dir.c calls it. Without it, no row of bench-guess has a guess; if names
 * that are alike are not one piece of evidence, 3 of 184 directories in "one event" are
 * renamed wrongly.
 */
#include "guess/guess.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unictype.h>

#include "base/newname.h"
#include "guess/data.h"
#include "utf8val.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* so many names that are not alike are remembered */
#define REMEMBERED 512

struct guesser {
	struct charsets charsets;
	struct text converted, varied;
	struct alike alike;
	struct model_name read[REMEMBERED];	/* by group of names that are alike */
};

const char *guess_label(const struct guess *guess)
{
	static const char *const labels[] = {
		[GUESS_NONE] = "unknown",
		[GUESS_CESU8] = "CESU-8",
		[GUESS_MUTF8] = "Modified UTF-8",
		[GUESS_UCS4] = "RFC 2279 UTF-8 (lone surrogate or above U+10FFFF)",
		[GUESS_OVERLONG] = "overlong UTF-8",
		[GUESS_CUT] = "cut in mid-character",
		[GUESS_PERCENT] = "UTF-8 with %XX, by wget",
		[GUESS_DOUBLED] = "double-encoded UTF-8",
		[GUESS_MISREAD] = "decoded wrongly",
		[GUESS_NFC] = "not NFC",
		[GUESS_NFD] = "not NFD",
		[GUESS_UNPORTABLE] = "not portable",
		[GUESS_UNSAFE] = "unsafe",
		[GUESS_DAMAGED] = "damaged",
	};

	return guess->kind == GUESS_CHARSET ? guess->charset : labels[guess->kind];
}

const char *guess_sure_name(enum guess_sure sure)
{
	static const char *const names[] = {
		[GUESS_POSSIBLE] = "possible",
		[GUESS_LIKELY] = "likely",
		[GUESS_CERTAIN] = "certain",
	};

	return names[sure];
}

struct guesser *guesser_new(void)
{
	struct guesser *guesser = must(calloc(1, sizeof(*guesser)));

	model_init();
	return guesser;
}

void guesser_free(struct guesser *guesser)
{
	if (!guesser)
		return;
	charsets_free(&guesser->charsets);
	alike_free(&guesser->alike);
	text_free(&guesser->converted);
	text_free(&guesser->varied);
	free(guesser);
}

void alike_begin(struct alike *alike)
{
	arena_reset(&alike->keys);
	strings_reset(&alike->groups);
}

void alike_free(struct alike *alike)
{
	arena_free(&alike->keys);
	strings_free(&alike->groups);
}

/* The common part of names that are alike: each number is one digit. */
static size_t make_key(char *key, const uint8_t *name, size_t len)
{
	size_t stem = stem_length(name, len);
	char *to = key;
	bool number = false;

	for (size_t i = 0; i < stem; i++) {
		bool digit = (uint8_t)(name[i] - '0') < 10;

		/* another digit takes the place of the one before it */
		to -= digit && number;
		*to++ = digit ? '0' : (char)name[i];
		number = digit;
	}
	if (stem < len)
		*to++ = '.';
	*to++ = '\0';
	return (size_t)(to - key);
}

unsigned int alike_group(struct alike *alike, const uint8_t *name, size_t len)
{
	char *key = arena_room(&alike->keys, len + 2);
	size_t size = make_key(key, name, len), count = alike->groups.count;
	size_t group = strings_add(&alike->groups, key);

	if (group == count)
		arena_take(&alike->keys, size);
	return (unsigned int)group;
}

const struct model_name *guess_read(struct guesser *guesser, const void *name, size_t len)
{
	struct alike *alike = &guesser->alike;
	unsigned int count = alike_count(alike);
	unsigned int group = alike_group(alike, name, len);

	if (group == REMEMBERED) {
		alike_begin(alike);
		count = 0;
		group = alike_group(alike, name, len);
	}
	if (group == count)
		model_read(name, len, &guesser->read[group]);
	return &guesser->read[group];
}

bool guess_knows(struct guesser *guesser, const char *charset)
{
	return charsets_know(&guesser->charsets, charset);
}

bool guess_has_ascii(struct guesser *guesser, const char *charset)
{
	static const char ascii[] = "abcdefghijklmnopqrstuvwxyz.0123456789-"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct text *out = &guesser->converted;

	out->len = 0;
	return charsets_convert(&guesser->charsets, charset, ascii, strlen(ascii), out) &&
	       out->len == strlen(ascii) &&
	       !memcmp(out->bytes, ascii, out->len);
}

bool guess_convert(struct guesser *guesser, const struct guess *guess,
		   const void *name, size_t len, struct text *to)
{
	size_t begin = to->len;
	const char *out;
	bool good;
	size_t out_len;

	if (guess->kind == GUESS_CHARSET)
		good = charsets_convert(&guesser->charsets, guess->charset, name, len, to);
	else
		good = form_convert(guess->kind, name, len, to);
	out = to->bytes + begin;
	out_len = to->len - begin;
	if (good && out_len && !memchr(out, '/', out_len) &&
	    !memchr(out, '\0', out_len) && utf8val_valid(out, out_len) &&
	    !(out[0] == '.' && (out_len == 1 || (out_len == 2 && out[1] == '.'))))
		return true;
	to->len = begin;
	return false;
}

bool guess_has_letter(struct guesser *guesser, const struct guess *guess,
		      const void *name, size_t len)
{
	struct text *out = &guesser->converted;
	uint32_t cp;

	out->len = 0;
	if (!guess_convert(guesser, guess, name, len, out))
		return false;
	for_each_character(cp, out->bytes, out->len) {
		if (cp >= 0x80 && uc_is_property_alphabetic((ucs4_t)cp))
			return true;
	}
	return false;
}

/* A guess from which fix makes a name by itself. */
static bool is_fit(struct guesser *guesser, const struct guess *guess,
		   const void *name, size_t len)
{
	struct text *out = &guesser->converted;

	out->len = 0;
	return guess_convert(guesser, guess, name, len, out) &&
	       !newname_trouble(name, len, out->bytes, out->len);
}

struct guess guess_form(struct guesser *guesser, const void *name, size_t len)
{
	struct guess guess = form_guess(name, len, &guesser->converted);

	if (guess.kind != GUESS_NONE && guess.kind != GUESS_UCS4 &&
	    !is_fit(guesser, &guess, name, len))
		guess.sure = GUESS_POSSIBLE;
	return guess;
}

struct guess guess_charset(const char *charset, enum guess_sure sure)
{
	return (struct guess){ .kind = GUESS_CHARSET, .sure = sure, .charset = charset };
}

/* Is the name in another charset the same as the converted one, or none? */
static bool agrees(struct guesser *guesser, const char *charset,
		   const void *name, size_t len)
{
	struct text *varied = &guesser->varied, *out = &guesser->converted;

	varied->len = 0;
	return !charsets_convert(&guesser->charsets, charset, name, len, varied) ||
	       (varied->len == out->len && !memcmp(varied->bytes, out->bytes, out->len));
}

/*
 * Has the converted name an overline? Japan's standard has one for ASCII's tilde, which no
 * file system does.
 */
static bool has_overline(const struct guesser *guesser)
{
	return memmem(guesser->converted.bytes, guesser->converted.len, "\u203E", 3);
}

/*
 * Are these the bytes of Romanian in two charsets? Where ISO-8859-2 and WINDOWS-1250
 * have letters with a cedilla, ISO-8859-16 has those with a comma. The comma is right,
 * and no letter shows which charset was meant.
 */
static bool has_twin(struct guesser *guesser, const void *name, size_t len)
{
	static const char cedilla[][3] = { "Ş", "ş", "Ţ", "ţ" };
	static const char comma[][3] = { "Ș", "ș", "Ț", "ț" };
	struct text *out = &guesser->converted;
	bool any = false;

	for (unsigned int k = 0; k < COUNT(cedilla); k++) {
		char *at;

		while ((at = memmem(out->bytes, out->len, cedilla[k], 2))) {
			memcpy(at, comma[k], 2);
			any = true;
		}
	}
	return any && agrees(guesser, "ISO-8859-16", name, len);
}

/*
 * The guess that the name is in one of the model's charsets. False, and no more than
 * possible, if the charset has no such name.
 */
static bool try_charset(struct guesser *guesser, unsigned int charset,
			const void *name, size_t len, struct guess *guess)
{
	const char *variant = model_charset_variant(charset);
	bool lacks = model_may_lack(charset, name, len);
	enum guess_sure sure = lacks || model_is_odd(charset, name, len) ?
				       GUESS_POSSIBLE : GUESS_LIKELY;

	*guess = guess_charset(model_charset_name(charset), GUESS_POSSIBLE);
	guess->undecided = lacks;
	if (is_fit(guesser, guess, name, len) && !has_overline(guesser)) {
		if ((!variant || agrees(guesser, variant, name, len)) &&
		    !has_twin(guesser, name, len))
			guess->sure = sure;
		return true;
	}
	if (!variant)
		return false;
	/* the wider one */
	guess->charset = variant;
	if (!is_fit(guesser, guess, name, len))
		return false;
	guess->sure = sure;
	return true;
}

bool guess_is_family(const char *a, const char *b)
{
	static const char *const families[][3] = {
		{ "ISO-8859-1", "WINDOWS-1252", "ISO-8859-15" },
		{ "ISO-8859-2", "WINDOWS-1250", "" },
	};

	for (unsigned int i = 0; i < COUNT(families); i++) {
		bool has_a = false, has_b = false;

		for (unsigned int k = 0; k < 3; k++) {
			has_a |= !strcmp(families[i][k], a);
			has_b |= !strcmp(families[i][k], b);
		}
		if (has_a && has_b)
			return true;
	}
	return !strcmp(a, b);
}

static bool is_named(const char *charset, const char *name)
{
	return !strcasecmp(charset, name) || charset_is_same(charset, name);
}

const char *guess_made(const char *charset)
{
	for (unsigned int c = 1; c < MODEL_CHARSETS; c++) {
		const char *variant = model_charset_variant(c);

		if (is_named(charset, model_charset_name(c)))
			return model_charset_name(c);
		if (variant && is_named(charset, variant))
			return variant;
	}
	return NULL;
}

/*
 * Names have other characters than the texts that were counted, more than they
 * have other letters: between charsets of East Asia more doubt is left.
 */
static float doubt_of(unsigned int charset, unsigned int other)
{
	return model_is_wide(charset) && model_is_wide(other) ? 10 : 1;
}

/*
 * GUESS_DOUBT for a name without others beside it, if its letters are usual. For such a
 * name it is more probable that its charset is unknown here.
 */
#define DOUBT_ALONE 0.01f
/* so much more is it to be doubted then that a name is in any charset known here */
#define UNKNOWN_ALONE 8

struct guess guess_decide(struct guesser *guesser,
			  const float shares[static MODEL_CHARSETS],
			  uint64_t strange, bool alone, const void *name,
			  size_t len, struct guess_ground *ground)
{
	float doubt = shares[0] * (alone ? UNKNOWN_ALONE : 1);
	unsigned int best = 1;
	struct guess guess;

	for (unsigned int c = 2; c < MODEL_CHARSETS; c++)
		best = shares[c] > shares[best] ? c : best;
	if (!try_charset(guesser, best, name, len, &guess))
		return guess;
	/* no charset makes the same of it as none at all */
	*ground = (struct guess_ground){ .charset = best,
					 .same = model_same(best, name, len) };
	for (unsigned int c = 1; c < MODEL_CHARSETS; c++) {
		if (ground->same >> c & 1)
			continue;
		doubt += shares[c] * doubt_of(best, c);
		ground->rivals |= (uint64_t)(shares[c] > GUESS_RIVAL) << c;
	}
	ground->doubted = doubt > GUESS_DOUBT;
	if (!(doubt <= (alone ? DOUBT_ALONE : GUESS_DOUBT)) || strange >> best & 1)
		guess.sure = GUESS_POSSIBLE;
	return guess;
}

struct guess guess_known(struct guesser *guesser, unsigned int charset,
			 const void *name, size_t len)
{
	struct guess guess;

	try_charset(guesser, charset, name, len, &guess);
	return guess;
}
