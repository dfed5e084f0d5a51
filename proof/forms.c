/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Contracts and rows of forms/utf8val_forms.c, for proof/prove.py. */
#include "prover.h"
#include "loops.h"
#include "forms/utf8val_forms.h"

/* the form of the text; where no character starts, so many bytes begin one */
static enum utf8val_form form;
static size_t begun[ENDLESS];

#define REST(s, len) ((s) != text + text_len && INSIDE_TEXT(s, len) && \
	OFFSET(s) + (len) == text_len)
static size_t character(enum utf8val_form of, const uint8_t *s, size_t len, size_t *good)
	__CPROVER_requires(of == form && REST(s, len))
	__CPROVER_ensures(__CPROVER_return_value == unit[OFFSET(s)] && __CPROVER_return_value <= len)
	__CPROVER_ensures(__CPROVER_return_value ||
			  (*good == begun[OFFSET(s)] && *good <= 5 && *good <= len))
	__CPROVER_assigns(*good);
static enum utf8val_reason why_rejected(enum utf8val_form of, const uint8_t *s, size_t good)
	__CPROVER_requires(of == form && INSIDE_TEXT(s, 1) && !unit[OFFSET(s)] &&
			   good == begun[OFFSET(s)] && good < text_len - OFFSET(s))
	__CPROVER_ensures((unsigned int)__CPROVER_return_value < UTF8VAL_REASONS &&
			  what[OFFSET(s)] == -(int32_t)__CPROVER_return_value)
	__CPROVER_assigns();

static void know_next(size_t at)
{
	__CPROVER_assume(at >= text_len || !starts[at] || !unit[at] || starts[at + unit[at]]);
}

#include "utf8val.c"
/* the row "check" speaks of that one: here it may return anything */
static struct utf8val_result any_result;
#define utf8val_check(buf, len) any_result
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

/* a tail that is small or large completes any, or the second half of a pair */
static const uint8_t rests[][6] = {
	{ 0x80, 0x80, 0x80, 0x80, 0x80, 0x80 }, { 0xBF, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF },
	{ 0x80, 0x80, 0x80, 0xED, 0xB0, 0x80 },
};
#define BEGINS(s, good) (begins(form, s, good, rests[0]) || begins(form, s, good, rests[1]) || \
	begins(form, s, good, rests[2]))

/* Why no character is there, of which @good bytes are right: as in UTF-8 ... */
static enum utf8val_reason spec_reason(const uint8_t *s, size_t good)
{
	bool is_pair = form != UTF8VAL_FORM_UCS4 && s[0] == 0xED;

	if (!good)
		return TAIL(s[0]) ? UTF8VAL_STRAY_TAIL : s[0] == 0xC0 || s[0] == 0xC1 ?
			UTF8VAL_OVERLONG : UTF8VAL_BAD_LEAD;
	/* ... but that the other half of a pair may be missing, or be no second half */
	if (is_pair && good >= 3)
		return UTF8VAL_SURROGATE;
	return !TAIL(s[good]) ? UTF8VAL_MISSING_TAIL : is_pair ? UTF8VAL_SURROGATE :
		UTF8VAL_OVERLONG;
}

/* The character at the start, or how many bytes begin one and why it is none. */
static void know_character(void)
{
	uint8_t s[6];
	size_t good, i;
	uint32_t cp;

	for (i = 0; i < 6; i++)
		s[i] = i < text_len ? text[i] : 0;
	__CPROVER_assume(unit[0] == spec_size(form, s, text_len, &cp));
	__CPROVER_assume(good <= 5 && good <= text_len && (!good || BEGINS(s, good)) &&
			 (good == 5 || good == text_len || !BEGINS(s, good + 1)));
	__CPROVER_assume(begun[0] == good && (unit[0] ? what[0] == (int32_t)cp :
			 good == text_len || what[0] == -(int32_t)spec_reason(s, good)));
}

void prove_form_character(void)
{
	uint8_t other[6];
	size_t good;

	any_text(LONGEST);
	__CPROVER_assume(text_len && (unsigned int)form <= UTF8VAL_FORM_UCS4);
	know_character();
	if (character(form, text, text_len, &good))
		PROVED(code_point(form, text, unit[0]) == (uint32_t)what[0], "its code point");
	else
		PROVED(good == text_len || !begins(form, text, good + 1, other),
		       "one more byte does not begin a character, whatever follows");
	REACHED();
}

void prove_form_why(void)
{
	any_text(LONGEST);
	__CPROVER_assume(text_len && (unsigned int)form <= UTF8VAL_FORM_UCS4);
	know_character();
	why_rejected(form, text, begun[0]);
	REACHED();
}

/* Characters follow each other from the start up to a place where none is. */
#define SHOWN(at, reason) \
	(begun[at] > 3 && (reason) == UTF8VAL_SURROGATE ? 3 : begun[at] ? begun[at] : 1)
void prove_form_check(void)
{
	struct utf8val_result result;
	size_t at;

	any_text(LONGEST);
	__CPROVER_assume((unsigned int)form <= UTF8VAL_FORM_UCS4);
	result = utf8val_form_check(form, text, text_len);
	at = result.valid;
	PROVED(form == UTF8VAL_FORM_UTF8 || (at <= text_len && starts[at]), "where");
	if (form != UTF8VAL_FORM_UTF8 && at == text_len) {
		PROVED(!result.bad && result.reason == UTF8VAL_OK, "all of it");
	} else if (form != UTF8VAL_FORM_UTF8) {
		PROVED(!unit[at], "no character");
		PROVED(begun[at] == text_len - at ? result.reason == UTF8VAL_TRUNCATED :
		       what[at] == -(int32_t)result.reason, "why");
		PROVED(result.bad == SHOWN(at, result.reason), "of how many bytes");
	}
	REACHED();
}

void prove_form_encode(void)
{
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
