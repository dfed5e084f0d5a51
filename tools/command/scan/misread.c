// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Names that were decoded in a wrong charset, and their repair. scan/extra.c calls it
 * for --mojibake.
 */
#include "scan/misread.h"

#include <iconv.h>
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
#include "scan/doubled.h"
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

/*
 * The charset that names were decoded in, and whether an older charset than UTF-8 is
 * possible as the original.
 */
static const struct taken {
	const char *name;
	bool older;
} taken_for[] = {
	{ "CP437", true }, { "CP850", true }, { "MACINTOSH", false },
	{ "WINDOWS-1250", false }, { "WINDOWS-1251", false }, { "CP866", false },
	{ "KOI8-R", false },	/* doubled.h has Windows-1252 and ISO 8859-1 */
};

/* The state of a thread that reads names. */
struct reader {
	struct charsets charsets;
	struct text bytes, new;
	struct model_name read;
};

const char *const misread_utf8 = "UTF-8";

static pthread_key_t reader_key;

static void free_reader(void *data)
{
	struct reader *reader = data;

	charsets_free(&reader->charsets);
	text_free(&reader->bytes);
	text_free(&reader->new);
	free(reader);
}

static void make_key(void)
{
	model_init();
	pthread_key_create(&reader_key, free_reader);
}

static struct reader *own_reader(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct reader *reader;

	pthread_once(&once, make_key);
	reader = pthread_getspecific(reader_key);
	if (!reader) {
		reader = must(calloc(1, sizeof(*reader)));
		pthread_setspecific(reader_key, reader);
	}
	return reader;
}

/* The least that the name costs in a charset, in quarters of a nat. */
static unsigned int cost_in(const struct reader *reader, unsigned int charset)
{
	unsigned int least = MODEL_IMPOSSIBLE;

	for (unsigned int r = model_first[charset]; r < model_first[charset + 1]; r++) {
		unsigned int cost = reader->read.costs[r];

		least = cost < least ? cost : least;
	}
	return least;
}

/*
 * Is there a letter beyond ASCII, or a character of three bytes, which are no two signs
 * by chance? A character of two bytes may be a letter and a sign after a word, so more
 * than one is needed, or an odd name. Two may be two Chinese characters, so if there are
 * few, all must be letters that are known here.
 */
static bool says_something(const struct text *name, bool odd)
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
	return known && count + odd > 1 && (count >= LEAST_LETTERS || known == count);
}

/* Are the bytes UTF-8, of a name that does not read well? */
static bool is_utf8(const struct reader *reader, const void *name, size_t len, bool odd)
{
	const struct text *bytes = &reader->bytes;

	return utf8val_valid(bytes->bytes, bytes->len) && says_something(bytes, odd) &&
	       doubled_is_plausible(name, len, bytes);
}

/* The charset in which the bytes read clearly better than in any other; 0: none. */
static unsigned int find_charset(const struct reader *reader, unsigned int charset,
				 bool odd)
{
	const uint8_t *bytes = (const uint8_t *)reader->bytes.bytes;
	size_t len = reader->bytes.len;
	unsigned int best = 0, least = cost_in(reader, 0);
	uint64_t same;

	for (unsigned int c = 1; c < MODEL_CHARSETS; c++) {
		unsigned int cost = cost_in(reader, c);

		best = cost < least ? c : best;
		least = cost < least ? cost : least;
	}
	same = model_same(best, bytes, len);
	if (!best || model_is_odd(best, bytes, len) ||
	    (!model_is_wide(best) && reader->read.strange_alone >> best & 1))
		return 0;
	for (unsigned int c = 0; c < MODEL_CHARSETS; c++) {
		unsigned int by = c == charset && !odd ? BETTER : CLEAR;

		if (!(same >> c & 1) && cost_in(reader, c) < least + by * 4)
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

/* Decode a name that was taken for such a charset; the charset that it was in, or NULL. */
static const char *decode(struct reader *reader, const struct taken *taken,
			  const void *name, size_t len)
{
	unsigned int charset = model_charset(taken->name), was;
	const struct text *bytes = &reader->bytes;
	unsigned int letters;
	const uint8_t *begin;
	bool odd;

	/* one character may be a letter of any */
	if (doubled_bytes(charset, name, len, &reader->bytes) < 2 ||
	    (!taken->older && !utf8val_valid(bytes->bytes, bytes->len)))
		return NULL;
	begin = (const uint8_t *)bytes->bytes;
	model_read(begin, bytes->len, &reader->read);
	odd = model_is_odd(charset, begin, bytes->len);
	if (!odd && reads_well(name, len))
		return NULL;
	odd |= reads_cost(name, len, &letters) == UINT_MAX;
	reader->new.len = 0;
	was = taken->older ? find_charset(reader, charset, odd) : 0;
	if (is_utf8(reader, name, len, odd)) {
		text_add(&reader->new, begin, bytes->len);
		return misread_utf8;
	}
	if (!was || !charsets_convert(&reader->charsets, model_charset_name(was), begin,
				      bytes->len, &reader->new) ||
	    !has_letters(&reader->new, odd) ||
	    newname_trouble(name, len, reader->new.bytes, reader->new.len))
		return NULL;
	return model_charset_name(was);
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
		    charsets_convert(&own_reader()->charsets, misread->was, bytes, bytes_len,
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
	text_auto twice = { 0 };
	struct reader *reader;

	if (misread->was)
		return decode_by(misread, name, len, to);
	if (decode_unzip(name, len, to)) {
		*misread = (struct misread){ "Unicode", "ASCII by unzip, which wrote #UXXXX" };
		return true;
	}
	if (text_is_ascii(name, len))
		return false;
	reader = own_reader();
	if (doubled_decode(name, len, &twice))
		add_candidate(&best, &twice,
			      (struct misread){ misread_utf8, "WINDOWS-1252" }, COMMON * 8);
	for (size_t i = 0; i < sizeof(taken_for) / sizeof(taken_for[0]); i++) {
		const char *was = decode(reader, &taken_for[i], name, len);

		if (was)
			add_candidate(&best, &reader->new,
				      (struct misread){ was, taken_for[i].name }, 0);
	}
	if (best.clear) {
		*misread = best.misread;
		text_add(to, best.name.bytes, best.name.len);
	}
	text_free(&best.name);
	return best.clear;
}
