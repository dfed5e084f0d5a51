// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Conversion of names from any charset, by iconv and tables of its results. The guesses
 * and scan --mojibake call it. Without it, no row of bench-guess has a name.
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
		if (charsets->converters[i].cd != NO_ICONV)
			iconv_close(charsets->converters[i].cd);
	}
	strings_free(&charsets->names);
	charsets->last_name = NULL;
}

/* This works in a rescue system without iconv's modules too. */
static bool is_latin1(const char *charset)
{
	if ((*charset | 0x20) != 'i' && (*charset | 0x20) != 'l')
		return false;
	return !strcasecmp(charset, "ISO-8859-1") || !strcasecmp(charset, "ISO8859-1") ||
	       !strcasecmp(charset, "LATIN1") ||
	       !strcasecmp(charset, "LATIN-1");
}

/*
 * Ask iconv for each byte of a charset that has one byte for each character, and no
 * state. A look into the resulting table is much faster than a call.
 */
static void make_table(struct converter *converter, const char *charset)
{
	converter->is_table = model_is_plain(charset);
	for (unsigned int b = 0; converter->is_table && b < 128; b++) {
		char byte = (char)(b | 0x80), utf8[8];
		char *in = &byte, *out = utf8;
		size_t in_len = 1, left = sizeof(utf8), len;

		iconv(converter->cd, NULL, NULL, NULL, NULL);
		converter->table[b].len = 0;
		if (converter->unzipped)
			byte = (char)data_unzipped[b];
		if (!byte || iconv(converter->cd, &in, &in_len, &out, &left) ==
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

static struct converter *converter_of(struct charsets *charsets, const char *charset)
{
	struct converter *converter = charsets->last;
	size_t count = charsets->names.count;

	if (!*charset)
		return NULL;
	/* mostly it is */
	if (charset != charsets->last_name) {
		if (count == CHARSETS_OPEN) {
			charsets_free(charsets);
			count = 0;
		}
		converter = &charsets->converters[strings_add(&charsets->names, charset)];
		charsets->last_name = charset;
		charsets->last = converter;
	}
	if (charsets->names.count > count) {
		/* one that cannot be opened is remembered too */
		converter->unzipped = data_is_unzipped(charset);
		charset += converter->unzipped ? strlen(DATA_UNZIP) : 0;
		converter->cd = iconv_open("UTF-8", charset);
		if (converter->cd != NO_ICONV)
			make_table(converter, charsets->last_name);
	}
	return converter->cd == NO_ICONV ? NULL : converter;
}

bool charset_is_name(const char *charset)
{
	static const char usual[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:+()";

	return *charset && !charset[strspn(charset, usual)];
}

bool charsets_know(struct charsets *charsets, const char *charset)
{
	return charset_is_name(charset) &&
	       (is_latin1(charset) || converter_of(charsets, charset));
}

static bool from_latin1(const uint8_t *name, size_t len, struct text *to)
{
	uint8_t *begin = (uint8_t *)text_room(to, 4 * len), *out = begin;

	for (size_t i = 0; i < len; i++) {
		if (name[i] < 0x80)
			*out++ = name[i];
		else
			out += utf8val_encode(name[i], out);
	}
	to->len += (size_t)(out - begin);
	return true;
}

static bool from_table(const struct converter *converter, const uint8_t *name,
		       size_t len, struct text *to)
{
	/* each character takes so much room, and what is after it is not counted */
	const size_t most = sizeof(converter->table[0].utf8);
	char *begin = text_room(to, most * len), *out = begin;

	for (size_t i = 0; i < len; i++) {
		if (name[i] < 0x80) {
			*out++ = (char)name[i];
			continue;
		}
		if (!converter->table[name[i] - 0x80].len)
			return false;
		memcpy(out, converter->table[name[i] - 0x80].utf8, most);
		out += converter->table[name[i] - 0x80].len;
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
	const struct converter *converter;
	char *begin, *out;
	iconv_t cd;
	bool good;

	if (is_latin1(charset))
		return from_latin1(name, len, to);
	converter = converter_of(charsets, charset);
	if (!converter)
		return false;
	if (converter->is_table)
		return from_table(converter, name, len, to);
	cd = converter->cd;
	begin = text_room(to, left);
	out = begin;
	iconv(cd, NULL, NULL, NULL, NULL);
	if (converter->unzipped)
		in = text_room(&own, len);
	good = (!converter->unzipped || data_unzip(name, len, (uint8_t *)in)) &&
	       iconv(cd, &in, &len, &out, &left) != (size_t)-1 &&
	       iconv(cd, NULL, NULL, &out, &left) != (size_t)-1;
	if (good)
		to->len += (size_t)(out - begin);
	return good;
}
