// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "guess.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <uchardet/uchardet.h>

#include "newname.h"
#include "utf8val.h"
#include "utf8val_forms.h"

#define NO_ICONV ((iconv_t)-1)
/* converters kept open; a tree rarely has more charsets */
#define CONVERTERS 8
/*
 * A guess is likely when all that would make something else of the name has no
 * more than this share: tools/bench/guess.py measures how often that is wrong.
 */
#define DOUBT 0.001f
/* file systems cut names at 255 bytes, which leaves at most 3 of a character */
#define CUT_LIMIT (255 - 3)

struct guesser {
	uchardet_t detector;
	struct converter {
		char charset[CHARSET_SIZE];
		iconv_t cd;
		/* the bytes from 0x80 on, when each is one character */
		bool is_table;
		struct {
			uint8_t len;	/* 0: it is none */
			char utf8[3];
		} table[128];
	} converters[CONVERTERS];
	unsigned int oldest;
	struct text converted, varied;
};

struct guesser *guesser_new(void)
{
	struct guesser *guesser = must(calloc(1, sizeof(*guesser)));

	model_init();
	guesser->detector = must(uchardet_new());
	for (unsigned int i = 0; i < CONVERTERS; i++)
		guesser->converters[i].cd = NO_ICONV;
	return guesser;
}

void guesser_free(struct guesser *guesser)
{
	if (!guesser)
		return;
	for (unsigned int i = 0; i < CONVERTERS; i++) {
		if (guesser->converters[i].cd != NO_ICONV)
			iconv_close(guesser->converters[i].cd);
	}
	uchardet_delete(guesser->detector);
	text_free(&guesser->converted);
	text_free(&guesser->varied);
	free(guesser);
}

static size_t count_high(const uint8_t *s, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++)
		count += s[i] >= 0x80;
	return count;
}

static void detect(struct guesser *guesser, const void *bytes, size_t len,
		   char charset[static CHARSET_SIZE])
{
	const char *name;

	uchardet_reset(guesser->detector);
	charset[0] = '\0';
	if (uchardet_handle_data(guesser->detector, bytes, len))
		return;
	uchardet_data_end(guesser->detector);
	name = uchardet_get_charset(guesser->detector);
	if (strlen(name) < CHARSET_SIZE)
		memcpy(charset, name, strlen(name) + 1);
}

/*
 * ISO 8859-1 needs no table; it is converted here so that it works in a rescue
 * system without iconv's modules too.
 */
static bool is_latin1(const char *charset)
{
	return !strcasecmp(charset, "ISO-8859-1") ||
	       !strcasecmp(charset, "ISO8859-1") ||
	       !strcasecmp(charset, "LATIN1") ||
	       !strcasecmp(charset, "LATIN-1");
}

/*
 * Ask iconv for each byte of a charset that is known to have one for each
 * character and no state: a look into a table is much faster than a call.
 */
static void make_table(struct converter *converter)
{
	converter->is_table = model_is_plain(converter->charset);
	for (unsigned int b = 0; converter->is_table && b < 128; b++) {
		char byte = (char)(b | 0x80), utf8[8];
		char *in = &byte, *out = utf8;
		size_t in_len = 1, left = sizeof(utf8), len;

		iconv(converter->cd, NULL, NULL, NULL, NULL);
		converter->table[b].len = 0;
		if (iconv(converter->cd, &in, &in_len, &out, &left) ==
			    (size_t)-1)
			continue;
		len = sizeof(utf8) - left;
		if (!len || len > sizeof(converter->table[b].utf8)) {
			converter->is_table = false;
			break;
		}
		converter->table[b].len = (uint8_t)len;
		memcpy(converter->table[b].utf8, utf8, len);
	}
}

static struct converter *converter_of(struct guesser *guesser,
				      const char *charset)
{
	struct converter *converter;

	if (strlen(charset) >= CHARSET_SIZE)
		return NULL;
	for (unsigned int i = 0; i < CONVERTERS; i++) {
		converter = &guesser->converters[i];
		if (!strcmp(converter->charset, charset))
			return converter->cd == NO_ICONV ? NULL : converter;
	}
	converter = &guesser->converters[guesser->oldest];
	guesser->oldest = (guesser->oldest + 1) % CONVERTERS;
	if (converter->cd != NO_ICONV)
		iconv_close(converter->cd);
	memcpy(converter->charset, charset, strlen(charset) + 1);
	/* one that cannot be opened is remembered too */
	converter->cd = iconv_open("UTF-8", charset);
	if (converter->cd == NO_ICONV)
		return NULL;
	make_table(converter);
	return converter;
}

bool guess_knows(struct guesser *guesser, const char *charset)
{
	return is_latin1(charset) || converter_of(guesser, charset);
}

static bool from_latin1(const uint8_t *name, size_t len, struct text *to)
{
	uint8_t unit[4];

	for (size_t i = 0; i < len; i++)
		text_add(to, unit, utf8val_encode(name[i], unit));
	return true;
}

static bool from_table(const struct converter *converter, const uint8_t *name,
		       size_t len, struct text *to)
{
	size_t begin = to->len;

	for (size_t i = 0, run = 0; i < len; i += run) {
		for (run = 0; i + run < len && name[i + run] < 0x80;)
			run++;
		text_add(to, name + i, run);
		if (i + run == len)
			break;
		i += run;
		run = 1;
		if (!converter->table[name[i] - 0x80].len) {
			to->len = begin;
			return false;
		}
		text_add(to, converter->table[name[i] - 0x80].utf8,
			 converter->table[name[i] - 0x80].len);
	}
	return true;
}

static bool from_charset(struct guesser *guesser, const char *charset,
			 const void *name, size_t len, struct text *to)
{
	/* no charset's character takes more bytes than this in UTF-8 */
	size_t left = 8 * len + 16;
	char *in = (char *)name;
	const struct converter *converter;
	char *buffer, *out;
	iconv_t cd;
	bool good;

	if (is_latin1(charset))
		return from_latin1(name, len, to);
	converter = converter_of(guesser, charset);
	if (!converter)
		return false;
	if (converter->is_table)
		return from_table(converter, name, len, to);
	cd = converter->cd;
	buffer = must(malloc(left));
	out = buffer;
	iconv(cd, NULL, NULL, NULL, NULL);
	good = iconv(cd, &in, &len, &out, &left) != (size_t)-1 &&
	       iconv(cd, NULL, NULL, &out, &left) != (size_t)-1;
	if (good)
		text_add(to, buffer, (size_t)(out - buffer));
	free(buffer);
	return good;
}

static bool from_form(enum utf8val_form form, const void *name, size_t len,
		      struct text *to)
{
	size_t need = utf8val_form_convert(form, UTF8VAL_FORM_UTF8, NULL, 0,
					   name, len);
	uint8_t *out;

	if (need == SIZE_MAX)
		return false;
	out = must(malloc(need + 1));
	utf8val_form_convert(form, UTF8VAL_FORM_UTF8, out, need, name, len);
	text_add(to, out, need);
	free(out);
	return true;
}

/*
 * The value of an overlong sequence, and its length: a lead byte of two, three
 * or four bytes with zeros where the shortest form has none.
 */
static size_t overlong_value(const uint8_t *s, size_t len, uint32_t *cp)
{
	size_t need = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;

	if (len < need)
		return 0;
	*cp = need == 2 ? s[0] & 0x1Fu : 0;
	for (size_t i = 1; i < need; i++) {
		if (s[i] < 0x80 || s[i] > 0xBF)
			return 0;
		*cp = *cp << 6 | (s[i] & 0x3Fu);
	}
	return need;
}

static bool from_overlong(const uint8_t *name, size_t len, struct text *to)
{
	while (len) {
		struct utf8val_result r = utf8val_check(name, len);
		uint8_t unit[4];
		uint32_t cp;
		size_t used;

		text_add(to, name, r.valid);
		name += r.valid;
		len -= r.valid;
		if (!len)
			break;
		if (r.reason != UTF8VAL_OVERLONG)
			return false;
		used = overlong_value(name, len, &cp);
		if (!used || !utf8val_encode(cp, unit))
			return false;
		text_add(to, unit, utf8val_encode(cp, unit));
		name += used;
		len -= used;
	}
	return true;
}

bool guess_has_ascii(struct guesser *guesser, const char *charset)
{
	static const char ascii[] = "abcdefghijklmnopqrstuvwxyz.0123456789-"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct text *out = &guesser->converted;

	out->len = 0;
	return from_charset(guesser, charset, ascii, strlen(ascii), out) &&
	       out->len == strlen(ascii) &&
	       !memcmp(out->bytes, ascii, out->len);
}

bool guess_convert(struct guesser *guesser, const struct guess *guess,
		   const void *name, size_t len, struct text *to)
{
	size_t begin = to->len;
	bool good = false;
	const char *out;
	size_t out_len;

	switch (guess->kind) {
	case GUESS_CESU8:
		good = from_form(UTF8VAL_FORM_CESU8, name, len, to);
		break;
	case GUESS_MUTF8:
		good = from_form(UTF8VAL_FORM_MUTF8, name, len, to);
		break;
	case GUESS_OVERLONG:
		good = from_overlong(name, len, to);
		break;
	case GUESS_CUT:
		text_add(to, name, utf8val_prefix(name, len));
		good = true;
		break;
	case GUESS_CHARSET:
		good = from_charset(guesser, guess->charset, name, len, to);
		break;
	case GUESS_TWICE:
	case GUESS_NFC:
	case GUESS_NFD:
	case GUESS_UNPORTABLE:
	case GUESS_UCS4:
	case GUESS_NONE:
		break;
	}
	out = to->bytes + begin;
	out_len = to->len - begin;
	if (good && out_len && !memchr(out, '/', out_len) &&
	    !memchr(out, '\0', out_len) && utf8val_valid(out, out_len) &&
	    !(out[0] == '.' && (out_len == 1 ||
				(out_len == 2 && out[1] == '.'))))
		return true;
	to->len = begin;
	return false;
}

/* Decodes, and to no control: what a charset would give for a real name. */
static bool is_plausible(struct guesser *guesser, const char *charset,
			 const void *name, size_t len)
{
	struct text *out = &guesser->converted;
	const uint8_t *pos, *end;

	out->len = 0;
	if (!charset[0] ||
	    !from_charset(guesser, charset, name, len, out))
		return false;
	pos = (const uint8_t *)out->bytes;
	end = pos + out->len;
	while (pos < end) {
		int32_t cp = utf8val_next(&pos, end);

		/* C1 controls and private use: nobody types these */
		if (cp < 0 || (cp >= 0x7F && cp < 0xA0) ||
		    (cp >= 0xE000 && cp < 0xF900))
			return false;
	}
	return true;
}

static bool is_form(enum utf8val_form form, const void *name, size_t len)
{
	return utf8val_form_check(form, name, len).reason == UTF8VAL_OK;
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

/*
 * Was it cut? File systems do that at 255 bytes, eCryptfs at 143. Elsewhere a
 * name in another charset ends like this too: then it takes so many characters
 * before it that are well-formed as no such name has by chance.
 */
static bool is_surely_cut(const uint8_t *name, size_t len, size_t valid)
{
	size_t high = count_high(name, valid);

	return high && ((len >= CUT_LIMIT && len <= 255) ||
			(len > 143 - 3 && len <= 143) || high >= 12);
}

struct guess guess_form(struct guesser *guesser, const void *name, size_t len)
{
	struct utf8val_result r = utf8val_check(name, len);
	struct guess guess = { GUESS_NONE, GUESS_POSSIBLE, "" };

	guesser->converted.len = 0;
	if (is_form(UTF8VAL_FORM_CESU8, name, len)) {
		guess = (struct guess){ GUESS_CESU8, GUESS_CERTAIN, "" };
	} else if (is_form(UTF8VAL_FORM_MUTF8, name, len)) {
		guess = (struct guess){ GUESS_MUTF8, GUESS_CERTAIN, "" };
	} else if (is_form(UTF8VAL_FORM_UCS4, name, len)) {
		guess = (struct guess){ GUESS_UCS4, GUESS_LIKELY, "" };
	} else if (from_overlong(name, len, &guesser->converted)) {
		/* no program writes these by mistake: they hide something */
		guess = (struct guess){ GUESS_OVERLONG, GUESS_POSSIBLE, "" };
	} else if (r.reason == UTF8VAL_TRUNCATED &&
		   (count_high(name, r.valid) || len >= CUT_LIMIT)) {
		guess = (struct guess){ GUESS_CUT, GUESS_POSSIBLE, "" };
		if (is_surely_cut(name, len, r.valid))
			guess.sure = GUESS_LIKELY;
	}
	if (guess.kind != GUESS_NONE && guess.kind != GUESS_UCS4 &&
	    !is_fit(guesser, &guess, name, len))
		guess.sure = GUESS_POSSIBLE;
	return guess;
}

struct guess guess_charset(const char *charset, enum guess_sure sure)
{
	struct guess guess = { GUESS_CHARSET, sure, "" };

	memcpy(guess.charset, charset, strlen(charset) + 1);
	return guess;
}

/* Does the charset's other variant, where it knows the name, agree? */
static bool agrees(struct guesser *guesser, const char *variant,
		   const void *name, size_t len)
{
	struct text *varied = &guesser->varied, *out = &guesser->converted;

	varied->len = 0;
	return !from_charset(guesser, variant, name, len, varied) ||
	       (varied->len == out->len &&
		!memcmp(varied->bytes, out->bytes, out->len));
}

/*
 * Are these the bytes of Romanian in two charsets? Where ISO-8859-2 and
 * WINDOWS-1250 have letters with a cedilla, ISO-8859-16 has those with a comma,
 * which are the right ones, and no letter tells which was meant.
 */
static bool has_twin(struct guesser *guesser, const void *name, size_t len)
{
	static const char cedilla[][2] = { "\xC5\x9E", "\xC5\x9F", "\xC5\xA2",
					   "\xC5\xA3" };
	struct text *varied = &guesser->varied, *out = &guesser->converted;
	bool any = false;

	for (size_t i = 0; i + 1 < out->len; i++) {
		for (unsigned int k = 0; k < 4; k++) {
			if (memcmp(out->bytes + i, cedilla[k], 2) != 0)
				continue;
			/* U+0218 to U+021B */
			out->bytes[i] = '\xC8';
			out->bytes[i + 1] = (char)(0x98 + k);
			any = true;
		}
	}
	varied->len = 0;
	return any && from_charset(guesser, "ISO-8859-16", name, len, varied) &&
	       varied->len == out->len &&
	       !memcmp(varied->bytes, out->bytes, out->len);
}

/* The guess that the name is in one of the model's charsets, as far as it goes. */
static bool try_charset(struct guesser *guesser, unsigned int charset,
			const void *name, size_t len, struct guess *guess)
{
	const char *variant = model_charset_variant(charset);

	*guess = guess_charset(model_charset_name(charset), GUESS_POSSIBLE);
	if (is_fit(guesser, guess, name, len)) {
		if (!model_is_odd(charset, name, len) &&
		    (!variant || agrees(guesser, variant, name, len)) &&
		    !has_twin(guesser, name, len))
			guess->sure = GUESS_LIKELY;
		return true;
	}
	if (!variant)
		return false;
	/* the wider one */
	*guess = guess_charset(variant, model_is_odd(charset, name, len) ?
						GUESS_POSSIBLE : GUESS_LIKELY);
	return is_fit(guesser, guess, name, len);
}

/* What the detector says, and two that are usual. */
static struct guess guess_alone(struct guesser *guesser, const void *name,
				size_t len)
{
	static const char *const usual[] = { "ISO-8859-1", "WINDOWS-1252" };
	char own[CHARSET_SIZE];

	detect(guesser, name, len, own);
	if (is_plausible(guesser, own, name, len))
		return guess_charset(own, GUESS_POSSIBLE);
	for (unsigned int i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (is_plausible(guesser, usual[i], name, len))
			return guess_charset(usual[i], GUESS_POSSIBLE);
	}
	return (struct guess){ GUESS_NONE, GUESS_POSSIBLE, "" };
}

struct guess guess_decide(struct guesser *guesser,
			  const float shares[static MODEL_CHARSETS],
			  const void *name, size_t len)
{
	unsigned int best = 1;
	struct guess guess;
	float doubt;
	uint64_t same;

	for (unsigned int c = 2; c < MODEL_CHARSETS; c++)
		best = shares[c] > shares[best] ? c : best;
	if (shares[best] < shares[0] / 100 ||
	    !try_charset(guesser, best, name, len, &guess))
		return guess_alone(guesser, name, len);
	same = model_same(best, name, len);
	/* no charset makes the same of it as none at all */
	doubt = shares[0];
	for (unsigned int c = 1; c < MODEL_CHARSETS; c++) {
		if (!(same >> c & 1))
			doubt += shares[c];
	}
	if (!(doubt <= DOUBT) ||
	    model_is_strange(best, name, len))
		guess.sure = GUESS_POSSIBLE;
	return guess;
}

struct guess guess_known(struct guesser *guesser, unsigned int charset,
			 const void *name, size_t len)
{
	struct guess guess;

	if (try_charset(guesser, charset, name, len, &guess))
		return guess;
	return guess_alone(guesser, name, len);
}

const char *guess_label(const struct guess *guess)
{
	switch (guess->kind) {
	case GUESS_CESU8:
		return "CESU-8";
	case GUESS_MUTF8:
		return "Modified UTF-8";
	case GUESS_UCS4:
		return "RFC 2279 UTF-8 (lone surrogate or above U+10FFFF)";
	case GUESS_OVERLONG:
		return "overlong UTF-8";
	case GUESS_CUT:
		return "cut in mid-character";
	case GUESS_CHARSET:
		return guess->charset;
	case GUESS_TWICE:
		return "UTF-8 twice over";
	case GUESS_NFC:
		return "not NFC";
	case GUESS_NFD:
		return "not NFD";
	case GUESS_UNPORTABLE:
		return "not portable";
	case GUESS_NONE:
		break;
	}
	return "unknown";
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
