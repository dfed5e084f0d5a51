// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Conversion of names from any charset, with the model's tables and iconv. The guesses and
 * scan --mojibake call it. Without it, no row of bench-guess has a name.
 */
#include "guess/charset.h"

#include <string.h>
#include <strings.h>

#include "guess/data.h"
#include "guess/model.h"
#include "utf8val.h"

#define NO_ICONV ((iconv_t)-1)

void charsets_free(struct charsets *charsets)
{
	for (size_t i = 0; i < charsets->names.count; i++) {
		if (charsets->converters[i].cd && charsets->converters[i].cd != NO_ICONV)
			iconv_close(charsets->converters[i].cd);
	}
	strings_free(&charsets->names);
	charsets->last_name = NULL;
}

/*
 * The model's table of a charset in which each byte is one character, or NULL. With it
 * these charsets work in a rescue system without iconv's modules, too.
 */
static const char16_t *chars_of(const char *charset)
{
	static const char *const also[][2] = {
		{ "LATIN1", "ISO-8859-1" }, { "LATIN-1", "ISO-8859-1" },
		{ "ISO8859-1", "ISO-8859-1" }, { "MAC", "MACINTOSH" },
		{ "MACCYRILLIC", "MAC-CYRILLIC" },
	};
	unsigned int number;

	for (unsigned int i = 0; i < sizeof(also) / sizeof(also[0]); i++) {
		if (!strcasecmp(charset, also[i][0]))
			charset = also[i][1];
	}
	number = model_charset(charset);
	return number && !data_charset(number)->joining ? data_charset(number)->chars : NULL;
}

static struct converter *converter_of(struct charsets *charsets, const char *charset)
{
	size_t count = charsets->names.count, number;

	/* mostly it is */
	if (charset == charsets->last_name)
		return charsets->last;
	if (count == CHARSETS_OPEN) {
		charsets_free(charsets);
		count = 0;
	}
	number = strings_add(&charsets->names, charset);
	charsets->last_name = charset;
	charsets->last = &charsets->converters[number];
	if (number == count)
		*charsets->last = (struct converter){ .chars = chars_of(charset) };
	return charsets->last;
}

/* Is there iconv's converter? A charset that cannot be opened is remembered too. */
static bool has_iconv(struct converter *converter, const char *charset)
{
	charset += data_is_unzipped(charset) ? strlen(DATA_UNZIP) : 0;
	if (!converter->cd)
		converter->cd = *charset ? iconv_open("UTF-8", charset) : NO_ICONV;
	return converter->cd != NO_ICONV;
}

bool charset_is_name(const char *charset)
{
	static const char usual[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:+()";

	return *charset && !charset[strspn(charset, usual)];
}

bool charsets_know(struct charsets *charsets, const char *charset)
{
	struct converter *converter;

	if (!charset_is_name(charset))
		return false;
	converter = converter_of(charsets, charset);
	return converter->chars || has_iconv(converter, charset);
}

/* What iconv makes of the bytes from 0x80 on, one by one; the length of it. */
static size_t by_iconv(const char *charset, char *to, size_t room)
{
	iconv_t cd = iconv_open("UTF-8", charset);
	size_t left = room;

	if (cd == NO_ICONV)
		return 0;
	for (unsigned int b = 0x80; b < 0x100; b++) {
		char byte = (char)b, *in = &byte;
		size_t in_len = 1;

		iconv(cd, NULL, NULL, NULL, NULL);
		iconv(cd, &in, &in_len, &to, &left);
	}
	iconv_close(cd);
	return room - left;
}

bool charset_is_same(const char *charset, const char *name)
{
	char one[128 * 8], other[128 * 8];
	size_t len = by_iconv(charset, one, sizeof(one));

	return len && len == by_iconv(name, other, sizeof(other)) && !memcmp(one, other, len);
}

/* False, with nothing added, where the table has no character. */
static bool from_table(const char16_t *chars, const uint8_t *name, size_t len,
		       struct text *to)
{
	/* a character of 16 bits has at most 3 bytes, and 4 are written */
	uint8_t *begin = (uint8_t *)text_room(to, 3 * len + 1), *out = begin;

	for (size_t i = 0; i < len; i++) {
		char16_t c = name[i] < 0x80 ? name[i] : chars[name[i] - 0x80];

		if (c == 0xFFFD)
			return false;
		out += utf8val_encode(c, out);
	}
	to->len += (size_t)(out - begin);
	return true;
}

bool charsets_convert(struct charsets *charsets, const char *charset,
		      const void *name, size_t len, struct text *to)
{
	/* no charset's character takes more bytes than this in UTF-8 */
	size_t left = 8 * len + 16;
	char *in = (char *)name;
	text_auto own = { 0 };
	struct converter *converter = converter_of(charsets, charset);
	bool unzipped = data_is_unzipped(charset), good;
	char *begin, *out;
	iconv_t cd;

	if (converter->chars && from_table(converter->chars, name, len, to))
		return true;
	if (!has_iconv(converter, charset))
		return false;
	cd = converter->cd;
	begin = text_room(to, left);
	out = begin;
	iconv(cd, NULL, NULL, NULL, NULL);
	if (unzipped)
		in = text_room(&own, len);
	good = (!unzipped || data_unzip(name, len, (uint8_t *)in)) &&
	       iconv(cd, &in, &len, &out, &left) != (size_t)-1 &&
	       iconv(cd, NULL, NULL, &out, &left) != (size_t)-1;
	if (good)
		to->len += (size_t)(out - begin);
	return good;
}
