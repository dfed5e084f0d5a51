/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What forms/utf8val_forms.c says of one character, as text and as code point. */
#include "prover.h"
#include "loops.h"
#include "utf8val.c"
#include "forms/utf8val_forms.c"

#define TAIL(byte) RFC_IN(byte, 0x80, 0xBF)

/*
 * The length of the character at @s, or 0: RFC 2279, from which the other forms take less;
 * CESU-8 and modified UTF-8 have pairs of surrogates instead of four bytes, and the latter
 * C0 80 instead of 00.
 */
static size_t spec_size(enum utf8val_form form, const uint8_t *s, size_t len, uint32_t *cp)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000 };
	size_t size = s[0] < 0x80 ? 1 : s[0] < 0xC0 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 :
		s[0] < 0xF8 ? 4 : s[0] < 0xFC ? 5 : s[0] < 0xFE ? 6 : 0;
	uint32_t value = size < 2 ? s[0] : s[0] % (1 << (7 - size));
	size_t i;

	if (!size || size > len)
		return 0;
	for (i = 1; i < size; i++) {
		if (!TAIL(s[i]))
			return 0;
		value = value * 64 + (s[i] - 0x80);
	}
	*cp = value;
	if (form == UTF8VAL_FORM_MUTF8 && !value)
		return size == 2 ? 2 : 0;
	if (value < least[size])
		return 0;
	if (form == UTF8VAL_FORM_UCS4)
		return size;
	if (form == UTF8VAL_FORM_UTF8)
		return value > 0x10FFFF || RFC_IN(value, 0xD800, 0xDFFF) ? 0 : size;
	if (size > 3 || RFC_IN(value, 0xDC00, 0xDFFF))
		return 0;
	if (!RFC_IN(value, 0xD800, 0xDBFF))
		return size;
	if (len < 6 || s[3] != 0xED || !RFC_IN(s[4], 0xB0, 0xBF) || !TAIL(s[5]))
		return 0;
	*cp = 0x10000 + (value - 0xD800) * 1024 + (s[4] - 0xB0) * 64 + (s[5] - 0x80);
	return 6;
}

/* Do the first @good bytes begin a character that goes on with these? */
static bool begins(enum utf8val_form form, const uint8_t *s, size_t good, const uint8_t *rest)
{
	uint8_t whole[6];
	uint32_t cp;
	size_t i;

	for (i = 0; i < 6; i++)
		whole[i] = i < good ? s[i] : rest[i];
	return spec_size(form, whole, 6, &cp) > good;
}

void prove_form_character(void)
{
	/* a tail that is small or large completes any, or the second half of a pair */
	static const uint8_t rests[][6] = {
		{ 0x80, 0x80, 0x80, 0x80, 0x80, 0x80 }, { 0xBF, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF },
		{ 0x80, 0x80, 0x80, 0xED, 0xB0, 0x80 },
	};
	enum utf8val_form form;
	uint8_t other[6];
	uint32_t cp;
	size_t size, good;

	any_text(LONGEST);
	__CPROVER_assume(text_len && (unsigned int)form <= UTF8VAL_FORM_UCS4);
	size = character(form, text, text_len, &good);
	PROVED(size == spec_size(form, text, text_len, &cp), "how long it is");
	if (size) {
		PROVED(code_point(form, text, size) == cp, "its code point");
	} else {
		PROVED(good <= text_len && good < 6, "no more bytes than there are");
		PROVED(!good || begins(form, text, good, rests[0]) ||
		       begins(form, text, good, rests[1]) || begins(form, text, good, rests[2]),
		       "so many begin a character");
		PROVED(good == text_len || !begins(form, text, good + 1, other),
		       "one more does not");
	}
	REACHED();
}

void prove_form_encode(void)
{
	enum utf8val_form form;
	uint32_t cp, got;
	uint8_t out[6];
	size_t size;

	__CPROVER_assume((unsigned int)form <= UTF8VAL_FORM_UCS4 && cp <= 0x7FFFFFFF);
	size = encode(form, cp, out);
	PROVED(!size == (form != UTF8VAL_FORM_UCS4 &&
			 (cp > 0x10FFFF || RFC_IN(cp, 0xD800, 0xDFFF))), "is there one");
	PROVED(!size || (size <= 6 && spec_size(form, out, size, &got) == size && got == cp),
	       "its bytes");
	REACHED();
}
