// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Names in any charset, by iconv and its tables. */
#include "guess/charset.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "guess/data.h"
#include "guess/model.h"
#include "utf8val.h"

#define NO_ICONV ((iconv_t)-1)

void charsets_free(struct charsets *charsets)
{
	for (unsigned int i = 0; i < CHARSETS_PLACES; i++) {
		struct converter *converter = &charsets->converters[i];

		if (converter->charset[0] && converter->cd != NO_ICONV)
			iconv_close(converter->cd);
		converter->charset[0] = '\0';
	}
	charsets->count = 0;
	charsets->last = NULL;
}

/*
 * ISO 8859-1 needs no table; it is converted here so that it works in a rescue
 * system without iconv's modules too.
 */
static bool is_latin1(const char *charset)
{
	if ((*charset | 0x20) != 'i' && (*charset | 0x20) != 'l')
		return false;
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

/* Where this one is, or would be: the hash is FNV-1a. */
static struct converter *place_of(struct charsets *charsets,
				  const char *charset)
{
	uint32_t hash = 2166136261u;
	struct converter *converter;

	for (const char *c = charset; *c; c++)
		hash = (hash ^ (uint8_t)*c) * 16777619u;
	do
		converter = &charsets->converters[hash++ % CHARSETS_PLACES];
	while (converter->charset[0] && strcmp(converter->charset, charset));
	return converter;
}

static struct converter *converter_of(struct charsets *charsets,
				      const char *charset)
{
	struct converter *converter = charsets->last;

	/* mostly it is */
	if (converter && !strcmp(converter->charset, charset))
		return converter->cd == NO_ICONV ? NULL : converter;
	if (!*charset || strlen(charset) >= CHARSET_SIZE)
		return NULL;
	converter = place_of(charsets, charset);
	if (!converter->charset[0]) {
		if (charsets->count == CHARSETS_OPEN) {
			charsets_free(charsets);
			converter = place_of(charsets, charset);
		}
		charsets->count++;
		memcpy(converter->charset, charset, strlen(charset) + 1);
		/* one that cannot be opened is remembered too */
		converter->cd = iconv_open("UTF-8", charset);
		if (converter->cd != NO_ICONV)
			make_table(converter);
	}
	charsets->last = converter;
	return converter->cd == NO_ICONV ? NULL : converter;
}

bool charsets_know(struct charsets *charsets, const char *charset)
{
	return is_latin1(charset) || converter_of(charsets, charset);
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
	const struct converter *converter;
	char *buffer, *out;
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
