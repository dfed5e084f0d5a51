/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What forms/utf8val_forms.c says of one character: what the form's grammar says, whatever
 * follows the character. None of these functions looks at more than six bytes.
 */
#include "prover.h"
#include "loops.h"
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

void prove_form_character(void)
{
	enum utf8val_form form = any_form();
	size_t len;
	const uint8_t *s = malloc(len);
	size_t good, begun, size;

	__CPROVER_assume(s);
	size = character(form, s, len, &good);
	PROVED(size == char_size(form, s, len, &begun), "a character");
	PROVED(size <= len && size <= CHAR_MAX, "within the bytes");
	PROVED(size || (good == begun && good <= len && good < CHAR_MAX),
			 "how many bytes could begin one");
	REACHED();
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

void prove_form_why_rejected(void)
{
	enum utf8val_form form = any_form();
	size_t len;
	const uint8_t *s = malloc(len);
	size_t good;

	__CPROVER_assume(s && form != UTF8VAL_FORM_UTF8);
	__CPROVER_assume(!char_size(form, s, len, &good) && good < len);
	PROVED(why_rejected(form, s, good) == why(form, s, good), "the reason");
	REACHED();
}

void prove_form_code_point(void)
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
	PROVED(cp == wanted_cp(form, s, size), "its code point");
	PROVED(carries(form, cp), "one that the form has");
	PROVED(size_bound(cp) <= 2 * size, "not much longer elsewhere");
	REACHED();
}

/* What is written is the one character of this code point, or nothing. */
void prove_form_encode(void)
{
	enum utf8val_form form = any_form();
	uint32_t cp;
	uint8_t *out = malloc(CHAR_MAX);
	size_t begun, size;

	__CPROVER_assume(out);
	size = encode(form, cp, out);
	PROVED(size <= size_bound(cp), "at most so long");
	/* no form's sequence says more */
	__CPROVER_assume(cp <= 0x7FFFFFFFu);
	PROVED((size != 0) == carries(form, cp), "if there is one");
	PROVED(!size || (char_size(form, out, size, &begun) == size &&
				   wanted_cp(form, out, size) == cp),
			 "the character of this code point");
	REACHED();
}

/* Of every text of up to five bytes. */
#define SHORT_TEXT 5
void prove_form_check(void)
{
	enum utf8val_form form = any_form();
	bool starts_at[SHORT_TEXT + 7] = { true };	/* by characters alone */
	struct utf8val_result result;
	size_t at, length, begun;

	any_text(SHORT_TEXT);
	__CPROVER_assume(form != UTF8VAL_FORM_UTF8);
	result = utf8val_form_check(form, text, text_len);
	for (at = 0; at < SHORT_TEXT && at < text_len; at++) {
		if (!starts_at[at])
			continue;
		length = char_size(form, text + at, text_len - at, &begun);
		if (length) {
			starts_at[at + length] = true;
			continue;
		}
		PROVED(result.valid == at, "up to what is no character");
		PROVED(result.reason == (begun == text_len - at ? UTF8VAL_TRUNCATED :
					 why(form, text + at, begun)), "why it is none");
		/* what follows a lone half is looked at again */
		PROVED(result.bad == (result.reason == UTF8VAL_SURROGATE && begun > 3 ? 3 :
				      begun ? begun : 1), "how much of it is bad");
	}
	PROVED(!starts_at[text_len] || (result.valid == text_len && !result.bad &&
					result.reason == UTF8VAL_OK), "all of it");
	REACHED();
}
