/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Which code points the forms have, and which one a character is, for CBMC: by the
 * numbers of RFC 2279 and of Unicode Technical Report 26.
 */
#include "rules.h"

/* The bits of a character that is no pair: what RFC 2279 says of "x". */
static uint32_t value(const uint8_t *s, size_t size)
{
	static const uint8_t lead[] = { 0, 0, 0xC0, 0xE0, 0xF0, 0xF8, 0xFC };
	uint32_t cp = s[0] - lead[size];
	size_t at;

	for (at = 1; at < size; at++)
		cp = cp * 64u + (s[at] - 0x80u);
	return cp;
}

static uint32_t wanted_cp(enum utf8val_form form, const uint8_t *s, size_t size)
{
	if (size == 6 && form != UTF8VAL_FORM_UCS4)
		return 0x10000u + (value(s, 3) - 0xD800u) * 0x400u +
			(value(s + 3, 3) - 0xDC00u);
	return value(s, size);
}

static bool carries(enum utf8val_form form, uint32_t cp)
{
	return form == UTF8VAL_FORM_UCS4 ? cp <= 0x7FFFFFFFu :
		cp <= 0xD7FFu || (cp >= 0xE000u && cp <= 0x10FFFFu);
}
