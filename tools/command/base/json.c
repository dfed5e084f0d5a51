// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bytes of unknown origin as JSON, and JSON read again. Every program that prints --json
 * and fix --plan use it.
 */
#include "base/json.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "utf8val.h"

/* \uXXXX, above the Basic Multilingual Plane as a pair of surrogates. */
static void add_json_escape(struct text *text, uint32_t cp)
{
	if (cp >= 0x10000) {
		text_printf(text, "\\u%04x", 0xD800 + ((cp - 0x10000) >> 10));
		cp = 0xDC00 + (cp & 0x3FF);
	}
	text_printf(text, "\\u%04x", cp);
}

void text_json_string(struct text *text, const char *key, const void *bytes, size_t len)
{
	const uint8_t *pos = bytes, *sequence = pos;
	const uint8_t *end = pos + len;
	uint32_t cp;

	text_puts(text, key);
	text_add(text, "\"", 1);
	while (utf8val_next(&pos, end, &cp) != UTF8VAL_END) {
		if (cp == '"' || cp == '\\' || text_is_unsafe(cp) ||
		    (cp >= 0x80 && text_ascii_only))
			add_json_escape(text, cp);
		else
			text_add(text, sequence, (size_t)(pos - sequence));
		sequence = pos;
	}
	text_add(text, "\"", 1);
}

/* Base64 as in RFC 4648, section 4. */
static const char digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void add_base64(struct text *text, const uint8_t *s, size_t len)
{
	for (size_t i = 0; i < len; i += 3) {
		size_t have = len - i < 3 ? len - i : 3;
		uint32_t bits = (uint32_t)s[i] << 16;
		char out[4];

		if (have > 1)
			bits |= (uint32_t)s[i + 1] << 8;
		if (have > 2)
			bits |= s[i + 2];
		for (unsigned int k = 0; k < 4; k++)
			out[k] = k <= have ? digits[bits >> (18 - 6 * k) & 63] : '=';
		text_add(text, out, sizeof(out));
	}
}

/* The bytes that base64 stands for, ended by a NUL, to be freed; NULL if it is none. */
static char *unbase64(const char *text, size_t len, size_t *out_len)
{
	char *out = must(malloc(len / 4 * 3 + 1));
	uint32_t bits = 0;
	size_t pad = 0;

	*out_len = 0;
	for (size_t i = 0; i < len; i++) {
		const char *digit = text[i] ? strchr(digits, text[i]) : NULL;

		if (text[i] == '=' && len - i <= 2)
			pad++;
		else if (!digit || pad)
			goto bad;
		bits = bits << 6 | (digit ? (uint32_t)(digit - digits) : 0);
		if (i % 4 != 3)
			continue;
		for (int shift = 16; shift >= 0; shift -= 8)
			out[(*out_len)++] = (char)(bits >> shift);
	}
	if (len % 4)
		goto bad;
	*out_len -= pad;
	out[*out_len] = '\0';
	return out;
bad:
	free(out);
	return NULL;
}

char *json_bytes(const json_t *value, size_t *len)
{
	const json_t *bytes = json_object_get(value, "bytes");
	const json_t *text = json_is_string(value) ? value : json_object_get(value, "text");

	if (json_is_string(bytes))
		return unbase64(json_string_value(bytes), json_string_length(bytes), len);
	if (!json_is_string(text))
		return NULL;
	*len = json_string_length(text);
	/* a NUL may be among them */
	return memcpy(must(calloc(1, *len + 1)), json_string_value(text), *len);
}

void text_json(struct text *text, const char *key, const void *bytes, size_t len)
{
	text_puts(text, key);
	if (utf8val_valid(bytes, len)) {
		text_json_string(text, "{\"text\":", bytes, len);
		text_puts(text, "}");
	} else {
		text_puts(text, "{\"bytes\":\"");
		add_base64(text, bytes, len);
		text_puts(text, "\"}");
	}
}
