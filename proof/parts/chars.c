/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What by_cbmc.py asks of forms/utf8val_forms.c: does each function about one
 * character say what the form's grammar says, whatever follows the character? Every
 * length is asked at once: none of them looks at more than six bytes. And does
 * utf8val_form_check() say what utf8val_forms.h does of every text of LEN bytes?
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

/* Why what begins with so many good bytes and another one is no character. */
static enum utf8val_reason why(enum utf8val_form form, const uint8_t *s, size_t good)
{
	if (!good)
		return s[0] >= 0x80 && s[0] <= 0xBF ? UTF8VAL_STRAY_TAIL :
			s[0] == 0xC0 || s[0] == 0xC1 ? UTF8VAL_OVERLONG :
			UTF8VAL_BAD_LEAD;
	if (form != UTF8VAL_FORM_UCS4 && s[0] == 0xED &&
	    (good > 2 || (good == 1 && s[1] >= 0xA0 && s[1] <= 0xBF)))
		return UTF8VAL_SURROGATE;
	return s[good] < 0x80 || s[good] > 0xBF ? UTF8VAL_MISSING_TAIL : UTF8VAL_OVERLONG;
}

void prove_why_rejected(void)
{
	enum utf8val_form form = any_form();
	size_t len;
	const uint8_t *s = malloc(len);
	size_t good;

	__CPROVER_assume(s && form != UTF8VAL_FORM_UTF8);
	__CPROVER_assume(!char_size(form, s, len, &good) && good < len);
	__CPROVER_assert(why_rejected(form, s, good) == why(form, s, good), "the reason");
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

void prove_utf8val_form_check(void)
{
	const enum utf8val_form form = FROM;
	uint8_t bytes[LEN + 1];
	uint8_t *s = malloc(LEN);
	bool reached[LEN + 1] = { true };	/* by characters alone */
	struct utf8val_result result, core;
	size_t at, size, begun;

	__CPROVER_assume(s);
	for (at = 0; at < LEN; at++)
		s[at] = bytes[at];
	result = utf8val_form_check(form, s, LEN);
	core = utf8val_check(s, LEN);
	__CPROVER_assert(form != UTF8VAL_FORM_UTF8 ||
			 (result.valid == core.valid && result.bad == core.bad &&
			  result.reason == core.reason), "the core's");
	for (at = 0; form != UTF8VAL_FORM_UTF8 && at < LEN; at++) {
		if (!reached[at])
			continue;
		size = char_size(form, bytes + at, LEN - at, &begun);
		if (size) {
			reached[at + size] = true;
			continue;
		}
		__CPROVER_assert(result.valid == at, "up to what is no character");
		__CPROVER_assert(result.reason == (begun == LEN - at ?
				 UTF8VAL_TRUNCATED : why(form, bytes + at, begun)),
				 "why it is none");
		/* what follows a lone half is looked at again */
		__CPROVER_assert(result.bad ==
				 (result.reason == UTF8VAL_SURROGATE && begun > 3 ?
				  3 : begun ? begun : 1), "how much of it is bad");
	}
	__CPROVER_assert(!reached[LEN] || (result.valid == LEN && !result.bad &&
			 result.reason == UTF8VAL_OK), "all of it");
	__CPROVER_assert(0, REACHED);
}
