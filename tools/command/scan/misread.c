// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Names that were decoded in a wrong charset, and their repair. scan/extra.c calls it
 * for --mojibake, scan/mixed.c for parts of names that may be UTF-8.
 */
#include "scan/misread.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <uniconv.h>
#include <uninorm.h>
#include <unictype.h>

#include "base/newname.h"
#include "guess/charset.h"
#include "guess/data.h"
#include "guess/guess.h"
#include "guess/model.h"
#include "scan/reads.h"
#include "utf8val.h"

/*
 * By so many nats the bytes' own charset must be better than any other. The second
 * number is for the charset that they were taken for, unless the name is odd in it.
 */
#define CLEAR 7
#define BETTER 12
/* by so many nats it is more common that UTF-8 was taken for WINDOWS-1252 */
#define COMMON 8
/* a name of fewer letters beyond ASCII may be anything */
#define LEAST_LETTERS 3

/* what data_charset() has for a byte that a charset lacks */
#define LACKED 0xFFFD

/*
 * The charset that names were decoded in; whether that is the common one, in which a name
 * may have been encoded more than twice; and whether an older charset than UTF-8 is possible
 * as the original.
 */
static const struct taken {
	const char *name;
	bool common, older;
} taken_for[] = {
	{ "WINDOWS-1252", true, false }, { "ISO-8859-1", true, false },
	{ "CP437", false, true }, { "CP850", false, true }, { "MACINTOSH", false, false },
	{ "WINDOWS-1250", false, false }, { "WINDOWS-1251", false, false },
	{ "CP866", false, false }, { "KOI8-R", false, false },
};

const char *const misread_utf8 = "UTF-8";

static pthread_key_t charsets_key;

static void free_charsets(void *data)
{
	charsets_free(data);
	free(data);
}

static void make_key(void)
{
	pthread_key_create(&charsets_key, free_charsets);
}

static struct charsets *own_charsets(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct charsets *charsets;

	pthread_once(&once, make_key);
	charsets = pthread_getspecific(charsets_key);
	if (!charsets) {
		charsets = must(calloc(1, sizeof(*charsets)));
		pthread_setspecific(charsets_key, charsets);
	}
	return charsets;
}

/* The least that the name costs in a charset, in quarters of a nat. */
static unsigned int cost_in(const struct model_name *read, unsigned int charset)
{
	unsigned int least = MODEL_IMPOSSIBLE;

	for (unsigned int r = model_first[charset]; r < model_first[charset + 1]; r++) {
		unsigned int cost = read->costs[r];

		least = cost < least ? cost : least;
	}
	return least;
}

/*
 * Add the bytes that a name was decoded from in a charset of single bytes. Most programs
 * decode a byte that the charset lacks to ISO 8859-1's control. How many of the characters
 * are beyond ASCII; 0 also where one of them is not in the charset.
 */
static unsigned int take_bytes(unsigned int charset, const void *name, size_t len,
			       struct text *bytes)
{
	const char16_t *chars = data_charset(charset)->chars;
	unsigned int count = 0;
	uint32_t cp;

	for_each_character(cp, name, len) {
		unsigned int b = 0;
		uint8_t byte;

		while (cp >= 0x80 && b < 128 && chars[b] != cp &&
		       !(chars[b] == LACKED && cp == b + 0x80))
			b++;
		if (b == 128 || cp == LACKED)
			return 0;
		byte = (uint8_t)(cp < 0x80 ? (unsigned int)cp : b + 0x80);
		count += cp >= 0x80;
		text_add(bytes, &byte, 1);
	}
	return count;
}

/*
 * Are there so many characters beyond ASCII that they are no two signs by chance? A character
 * of two bytes may be a letter and a sign after a word, so more than one is needed, or an odd
 * name. In a charset that is not the common one, two may also be two Chinese characters. So
 * one must be a letter that is known here or have three bytes, and if there are few, all.
 */
static bool says_something(const struct text *name, bool odd, bool common)
{
	unsigned int count = 0, known = 0;
	uint32_t cp, before = 0;

	for_each_character(cp, name->bytes, name->len) {
		/* macOS takes letters apart */
		ucs4_t whole = cp >= 0x300 && cp < 0x370 ?
				       uc_composition(before, cp) : 0;

		count += cp >= 0x80;
		known += whole || cp == 0xA0 || cp >= 0x800 ||
			 (cp >= 0x80 && data_in_alphabet((char16_t)cp));
		before = whole ? whole : cp;
	}
	return count + odd > 1 &&
	       (common || (known && (count >= LEAST_LETTERS || known == count)));
}

/* The charset in which the bytes read clearly better than in any other; 0: none. */
static unsigned int find_charset(const uint8_t *bytes, size_t len, unsigned int charset,
				 bool odd)
{
	unsigned int best = 0, least;
	struct model_name read;
	uint64_t same;

	model_read(bytes, len, &read);
	least = cost_in(&read, 0);
	for (unsigned int c = 1; c < MODEL_CHARSETS; c++) {
		unsigned int cost = cost_in(&read, c);

		best = cost < least ? c : best;
		least = cost < least ? cost : least;
	}
	same = model_same(best, bytes, len);
	if (!best || model_is_odd(best, bytes, len) ||
	    (!model_is_wide(best) && read.strange_alone >> best & 1))
		return 0;
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		unsigned int by = c == charset && !odd ? BETTER : CLEAR;

		if (!(same >> c & 1) && cost_in(&read, c) < least + by * 4)
			return 0;
	}
	return same >> charset & 1 ? 0 : best;
}

/*
 * Are there letters of another script than Latin, as many as are no chance? Signs that
 * nobody writes are what a Latin letter was taken for, too, if its word reads well.
 */
static bool has_letters(const struct text *name, bool odd)
{
	unsigned int letters = 0, latin = 0;
	uint32_t cp;

	for_each_character(cp, name->bytes, name->len) {
		letters += cp >= 0x250;
		latin += cp >= 0xC0 && cp < 0x250;
	}
	return letters >= LEAST_LETTERS ||
	       (odd && latin && reads_well(name->bytes, name->len));
}

/*
 * Add what a name was that was taken for such a charset. The charset that it was in, or NULL,
 * with nothing added.
 */
static const char *decode(const struct taken *taken, const void *name, size_t len,
			  struct text *to)
{
	unsigned int charset = model_charset(taken->name), was = 0, letters;
	text_auto bytes = { 0 }, new = { 0 };
	bool odd, is_utf8;

	/* one character may be a letter of any */
	if (take_bytes(charset, name, len, &bytes) < 2)
		return NULL;
	is_utf8 = utf8val_valid(bytes.bytes, bytes.len);
	if (!is_utf8 && !taken->older)
		return NULL;
	/* what is UTF-8 has become shorter, and is not ASCII */
	if (taken->common && decode(taken, bytes.bytes, bytes.len, to))
		return misread_utf8;
	odd = model_is_odd(charset, (const uint8_t *)bytes.bytes, bytes.len);
	if (!odd && reads_well(name, len))
		return NULL;
	odd |= reads_cost(name, len, &letters) == UINT_MAX;
	if (is_utf8 && says_something(&bytes, odd, taken->common) &&
	    reads_usual(bytes.bytes, bytes.len) &&
	    !newname_trouble(name, len, bytes.bytes, bytes.len)) {
		text_add(to, bytes.bytes, bytes.len);
		return misread_utf8;
	}
	if (taken->older)
		was = find_charset((const uint8_t *)bytes.bytes, bytes.len, charset, odd);
	if (!was || !charsets_convert(own_charsets(), model_charset_name(was), bytes.bytes,
				      bytes.len, &new) ||
	    !has_letters(&new, odd) || newname_trouble(name, len, new.bytes, new.len))
		return NULL;
	text_add(to, new.bytes, new.len);
	return model_charset_name(was);
}

bool misread_is_utf8(const void *bytes, size_t len)
{
	const struct taken *taken = &taken_for[0];
	text_auto twice = { 0 }, once = { 0 };
	const char16_t *chars;

	model_init();
	chars = data_charset(model_charset(taken->name))->chars;
	for (const uint8_t *byte = bytes, *end = byte + len; byte < end; byte++) {
		uint32_t cp = *byte < 0x80 ? *byte : chars[*byte - 0x80];

		text_room(&twice, 4);
		twice.len += utf8val_encode(cp == LACKED ? *byte : cp,
					    (uint8_t *)twice.bytes + twice.len);
	}
	return decode(taken, twice.bytes, twice.len, &once);
}

const char *misread_take(struct misread *misread, const char *argument)
{
	const char *colon = strchr(argument, ':');
	const char *was = colon ? colon + 1 : misread_utf8;
	char *taken = must(strndup(argument, colon ? (size_t)(colon - argument) :
						     strlen(argument)));
	struct guesser *guesser = guesser_new();
	bool both = guess_knows(guesser, taken) && guess_knows(guesser, was);

	guesser_free(guesser);
	if (!both) {
		free(taken);
		return "iconv knows no such charset; iconv -l lists them";
	}
	*misread = (struct misread){ was, taken };
	return NULL;
}

static bool decode_by(const struct misread *misread, const void *name, size_t len,
		      struct text *to)
{
	size_t bytes_len;
	char *bytes = u8_conv_to_encoding(misread->taken_for, iconveh_error, name, len, NULL,
					  NULL, &bytes_len);
	text_auto new = { 0 };
	bool good = bytes &&
		    charsets_convert(own_charsets(), misread->was, bytes, bytes_len,
				     &new) &&
		    utf8val_valid(new.bytes, new.len) && !memchr(new.bytes, '/', new.len) &&
		    (new.len != len || memcmp(new.bytes, name, len) != 0);

	if (good)
		text_add(to, new.bytes, new.len);
	free(bytes);
	return good;
}

/* The best original of a name so far. */
struct candidate {
	struct misread misread;
	struct text name;
	unsigned int cost;	/* from reads_cost() */
	bool clear;		/* and so much more than any other that is not the same */
};

/* Take it where it reads better than what was found before; it costs so much less, or more. */
static void add_candidate(struct candidate *best, const struct text *name,
			  struct misread misread, unsigned int credit)
{
	unsigned int letters, cost = reads_cost(name->bytes, name->len, &letters);
	struct text *found = &best->name;

	if (found->len == name->len && !memcmp(found->bytes, name->bytes, name->len))
		return;
	cost -= cost < credit ? cost : credit;
	if (found->len && cost >= best->cost) {
		best->clear = best->clear && cost - best->cost >= CLEAR * 8;
		return;
	}
	best->clear = !found->len || best->cost - cost >= CLEAR * 8;
	best->misread = misread;
	best->cost = cost;
	found->len = 0;
	text_add(found, name->bytes, name->len);
}

/* The value of so many hexadecimal digits, in small letters as unzip writes them; or 0. */
static uint32_t small_hex(const char *s, size_t count)
{
	uint32_t value = 0;

	for (size_t i = 0; i < count; i++) {
		if (!((s[i] >= '0' && s[i] <= '9') || (s[i] >= 'a' && s[i] <= 'f')))
			return 0;
		value = value << 4 | (uint32_t)(s[i] <= '9' ? s[i] - '0' : s[i] - 'a' + 10);
	}
	return value;
}

/*
 * Add a name of which unzip has written letters as #U4f60 or #L02a6b2, because a locale
 * lacked them; false where it has not. A number of four digits may be that of an
 * invoice. So one letter of another script is not enough, unless its number has one of
 * the digits a to f.
 */
static bool decode_unzip(const char *name, size_t len, struct text *to)
{
	text_auto new = { 0 };
	unsigned int found = 0;
	bool clear = false;

	if (!memchr(name, '#', len))
		return false;
	for (size_t i = 0; i < len; i++) {
		size_t digits = name[i] != '#' || i + 1 == len ? 0 : name[i + 1] == 'U' ? 4 :
				name[i + 1] == 'L' ? 6 : 0;
		uint32_t cp = digits && i + 1 + digits < len ?
				      small_hex(name + i + 2, digits) : 0;

		if (cp < 0x80 || !uc_is_property_alphabetic((ucs4_t)cp)) {
			text_add(&new, name + i, 1);
			continue;
		}
		text_room(&new, 4);
		new.len += utf8val_encode(cp, (uint8_t *)new.bytes + new.len);
		clear |= cp < 0x250;
		for (size_t end = i + 1 + digits; i < end; i++)
			clear |= name[i + 1] >= 'a';
		found++;
	}
	if (found < 2 && !clear)
		return false;
	if (newname_trouble(name, len, new.bytes, new.len))
		return false;
	text_add(to, new.bytes, new.len);
	return true;
}

bool misread_decode(const void *name, size_t len, struct misread *misread,
		    struct text *to)
{
	struct candidate best = { .clear = false };

	if (misread->was)
		return decode_by(misread, name, len, to);
	if (decode_unzip(name, len, to)) {
		*misread = (struct misread){ "Unicode", "ASCII by unzip, which wrote #UXXXX" };
		return true;
	}
	if (text_is_ascii(name, len))
		return false;
	model_init();
	for (size_t i = 0; i < sizeof(taken_for) / sizeof(taken_for[0]); i++) {
		const struct taken *taken = &taken_for[i];
		text_auto new = { 0 };
		const char *was = decode(taken, name, len, &new);

		if (was)
			add_candidate(&best, &new, (struct misread){ was, taken->name },
				      taken->common ? COMMON * 8 : 0);
	}
	if (best.clear) {
		*misread = best.misread;
		text_add(to, best.name.bytes, best.name.len);
	}
	text_free(&best.name);
	return best.clear;
}
