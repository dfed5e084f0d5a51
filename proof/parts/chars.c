/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What by_cbmc.py asks of forms/utf8val_forms.c: does each function about one
 * character say what the form's grammar says, whatever follows the character? Every
 * length is asked at once: none of them looks at more than six bytes.
 */
#define UTF8VAL_ENGINE_COMPACT 1
#define is_tail core_is_tail
#include "utf8val.c"
#undef is_tail
#include "forms/utf8val_forms.c"
#include "rules.h"

/* the most bytes that a code point has in any form */
static size_t size_bound(uint32_t cp)
{
	return cp < 0x800u ? 2 : cp < 0x10000u ? 3 : 6;
}

static enum utf8val_form any_form(void)
{
	unsigned int form;

	__CPROVER_assume(form <= UTF8VAL_FORM_UCS4);
	return (enum utf8val_form)form;
}

void prove_character(void)
{
	enum utf8val_form form = any_form();
	size_t len;
	const uint8_t *s = malloc(len);
	size_t good, begun, size;

	__CPROVER_assume(s);
	size = character(form, s, len, &good);
	__CPROVER_assert(size == char_size(form, s, len, &begun), "a character");
	__CPROVER_assert(size <= len && size <= CHAR_MAX, "within the bytes");
	__CPROVER_assert(size || (good == begun && good <= len && good < CHAR_MAX),
			 "how many bytes could begin one");
	__CPROVER_assert(0, REACHED);
}

void prove_why_rejected(void)
{
	enum utf8val_form form = any_form();
	size_t len;
	const uint8_t *s = malloc(len);
	size_t good;
	enum utf8val_reason reason;
	bool half;

	__CPROVER_assume(s && form != UTF8VAL_FORM_UTF8);
	__CPROVER_assume(!char_size(form, s, len, &good) && good < len);
	reason = why_rejected(form, s, good);
	half = form != UTF8VAL_FORM_UCS4 && s[0] == 0xED &&
		(good > 2 || (good == 1 && s[1] >= 0xA0 && s[1] <= 0xBF));
	__CPROVER_assert((reason == UTF8VAL_STRAY_TAIL) ==
			 (s[0] >= 0x80 && s[0] <= 0xBF), "a stray tail");
	__CPROVER_assert((reason == UTF8VAL_SURROGATE) == half, "half a pair");
	__CPROVER_assert((reason == UTF8VAL_MISSING_TAIL) ==
			 (good && !half && (s[good] < 0x80 || s[good] > 0xBF)),
			 "a missing tail");
	__CPROVER_assert((reason == UTF8VAL_OVERLONG) ==
			 (good ? !half && s[good] >= 0x80 && s[good] <= 0xBF :
			  s[0] == 0xC0 || s[0] == 0xC1), "an overlong one");
	__CPROVER_assert(reason == UTF8VAL_STRAY_TAIL || reason == UTF8VAL_SURROGATE ||
			 reason == UTF8VAL_MISSING_TAIL || reason == UTF8VAL_OVERLONG ||
			 reason == UTF8VAL_BAD_LEAD, "no other reason");
	__CPROVER_assert(0, REACHED);
}

/* all that the contract for WP says, which is about more inputs */
void prove_why_rejected_any(void)
{
	enum utf8val_form form = any_form();
	size_t good;
	const uint8_t *s;
	enum utf8val_reason reason;

	__CPROVER_assume(form != UTF8VAL_FORM_UTF8 && good < CHAR_MAX);
	s = malloc(good + 1);
	__CPROVER_assume(s);
	reason = why_rejected(form, s, good);
	__CPROVER_assert(UTF8VAL_STRAY_TAIL <= reason && reason < UTF8VAL_REASONS,
			 "a reason");
	__CPROVER_assert(0, REACHED);
}

void prove_code_point(void)
{
	enum utf8val_form form = any_form();
	size_t len;
	const uint8_t *s = malloc(len);
	size_t begun, size;
	uint32_t cp;

	__CPROVER_assume(s);
	size = char_size(form, s, len, &begun);
	__CPROVER_assume(size);
	cp = code_point(form, s, size);
	__CPROVER_assert(cp == wanted_cp(form, s, size), "its code point");
	__CPROVER_assert(carries(form, cp), "one that the form has");
	__CPROVER_assert(size_bound(cp) <= 2 * size, "not much longer elsewhere");
	__CPROVER_assert(0, REACHED);
}

/* What is written is the one character of this code point, or nothing. */
void prove_encode(void)
{
	enum utf8val_form form = any_form();
	uint32_t cp;
	uint8_t *out = malloc(CHAR_MAX);
	size_t begun, size;

	__CPROVER_assume(out);
	size = encode(form, cp, out);
	__CPROVER_assert(size <= size_bound(cp), "at most so long");
	/* no form's sequence says more */
	__CPROVER_assume(cp <= 0x7FFFFFFFu);
	__CPROVER_assert((size != 0) == carries(form, cp), "if there is one");
	__CPROVER_assert(!size || (char_size(form, out, size, &begun) == size &&
				   wanted_cp(form, out, size) == cp),
			 "the character of this code point");
	__CPROVER_assert(0, REACHED);
}
