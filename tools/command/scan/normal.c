// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Normalization of names, by libunistring. */
#include "scan/normal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <uninorm.h>

#include "utf8val.h"

static const char *const names[] = {
	[NORMAL_ANY] = "",
	[NORMAL_NFC] = "nfc",
	[NORMAL_NFD] = "nfd",
	[NORMAL_FULL_NFC] = "full-nfc",
	[NORMAL_FULL_NFD] = "full-nfd",
};

enum normal_form normal_by_name(const char *name)
{
	enum normal_form form = NORMAL_FULL_NFD;

	while (form != NORMAL_ANY && strcasecmp(name, names[form]) != 0)
		form--;
	return form;
}

const char *normal_name(enum normal_form form)
{
	return names[form];
}

/* Of those that normalization changes, all of these blocks. */
static bool is_compatible(int32_t cp)
{
	return (cp >= 0xF900 && cp < 0xFB00) || (cp >= 0x2F800 && cp < 0x2FA20);
}

static void convert(enum normal_form form, const uint8_t *name, size_t len,
		    struct text *to)
{
	size_t out_len;
	uint8_t *out = must(u8_normalize(normal_composes(form) ? UNINORM_NFC :
								 UNINORM_NFD,
					 name, len, NULL, &out_len));

	text_add(to, out, out_len);
	free(out);
}

void normal_convert(enum normal_form form, const void *name, size_t len, struct text *to)
{
	const uint8_t *pos = name, *end = pos + len, *from = pos, *before = pos;
	bool spares = form == NORMAL_NFC || form == NORMAL_NFD;

	/* nothing is composed with an ideograph, so that pieces are as good */
	for (; spares && pos < end; before = pos) {
		int32_t cp;

		pos = utf8val_next(pos, end, &cp);
		if (!is_compatible(cp))
			continue;
		if (before > from)
			convert(form, from, (size_t)(before - from), to);
		text_add(to, before, (size_t)(pos - before));
		from = pos;
	}
	if (end > from)
		convert(form, from, (size_t)(end - from), to);
}

bool normal_is(enum normal_form form, const void *name, size_t len)
{
	text_auto normal = { 0 };

	if (form == NORMAL_ANY || text_is_ascii(name, len))
		return true;
	normal_convert(form, name, len, &normal);
	return normal.len == len && !memcmp(normal.bytes, name, len);
}
