// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Normalization of names, by libunistring. */
#include "scan/normal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <uninorm.h>

enum normal_form normal_by_name(const char *name)
{
	return !strcasecmp(name, "nfc") ? NORMAL_NFC :
	       !strcasecmp(name, "nfd") ? NORMAL_NFD : NORMAL_ANY;
}

void normal_convert(enum normal_form form, const void *name, size_t len,
		    struct text *to)
{
	size_t out_len;
	uint8_t *out = must(u8_normalize(form == NORMAL_NFC ? UNINORM_NFC :
							      UNINORM_NFD,
					 name, len, NULL, &out_len));

	text_add(to, out, out_len);
	free(out);
}

static bool is_ascii(const uint8_t *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] >= 0x80)
			return false;
	}
	return true;
}

bool normal_is(enum normal_form form, const void *name, size_t len)
{
	struct text normal = { 0 };
	bool same;

	if (form == NORMAL_ANY || is_ascii(name, len))
		return true;
	normal_convert(form, name, len, &normal);
	same = normal.len == len && !memcmp(normal.bytes, name, len);
	text_free(&normal);
	return same;
}
