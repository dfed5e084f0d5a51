/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What by_cbmc.py asks of whole entries of the core, and of the kernel's core: is the
 * result, for every text of LEN bytes, what the rules and utf8val.h's words say of it?
 * Here it is found for each position in turn; nothing is shared with the code.
 */

void *malloc(__SIZE_TYPE__);

/* What finds it reads arrays at known places: to check that takes most of the time. */
#pragma CPROVER check push
#pragma CPROVER check disable "bounds"
#pragma CPROVER check disable "pointer"
#pragma CPROVER check disable "pointer-overflow"
#pragma CPROVER check disable "pointer-primitive"
#pragma CPROVER check disable "signed-overflow"
#include "rules.h"

/* By position; at the end there is only a boundary. */
struct text {
	uint8_t bytes[LEN + 1];
	bool well_formed[LEN + 1];	/* all before it */
	bool starts[LEN + 1];		/* a sequence */
	bool begins[LEN + 1];		/* all before it, with more perhaps */
	size_t size[LEN + 1];		/* of what starts there, if something does */
	uint8_t reason[LEN + 1];
};

static uint8_t why(const uint8_t *s, size_t left, size_t begun)
{
	if (!begun)
		return s[0] < 0xC0 ? UTF8VAL_STRAY_TAIL :
			s[0] < 0xC2 ? UTF8VAL_OVERLONG :
			s[0] < 0xF8 ? UTF8VAL_TOO_LARGE : UTF8VAL_BAD_LEAD;
	if (begun == left)
		return UTF8VAL_TRUNCATED;
	if (s[begun] < 0x80 || s[begun] > 0xBF)
		return UTF8VAL_MISSING_TAIL;
	return s[0] == 0xED ? UTF8VAL_SURROGATE :
		s[0] == 0xF4 ? UTF8VAL_TOO_LARGE : UTF8VAL_OVERLONG;
}

/* Any text, and an object that ends with it. */
static uint8_t *any_text(struct text *text)
{
	uint8_t *s = malloc(BEFORE + LEN);
	size_t at, size;

	__CPROVER_assume(s);
	s += BEFORE;
	for (at = 0; at < LEN; at++)
		s[at] = text->bytes[at];
	for (at = 0; at <= LEN; at++)
		text->well_formed[at] = text->starts[at] = text->begins[at] = !at;
	for (at = 0; at < LEN; at++) {
		const uint8_t *there = text->bytes + at;
		size_t begun;
		size_t chars = char_size(UTF8VAL_FORM_UTF8, there, LEN - at, &begun);

		text->size[at] = chars ? chars : begun ? begun : 1;
		text->reason[at] = chars ? UTF8VAL_OK : why(there, LEN - at, begun);
		for (size = 1; size <= 4 && at + size <= LEN; size++) {
			text->begins[at + size] |= text->well_formed[at] && size <= begun;
			text->well_formed[at + size] |=
				text->well_formed[at] && chars == size;
			text->starts[at + size] |=
				text->starts[at] && text->size[at] == size;
		}
	}
	return s;
}

static size_t longest(const struct text *text)
{
	size_t best = 0;
	size_t at;

	for (at = 1; at <= LEN; at++)
		if (text->well_formed[at])
			best = at;
	return best;
}

static bool is_result(const struct text *text, struct utf8val_result result)
{
	bool good = result.valid == longest(text);
	size_t at;

	for (at = 0; at < LEN; at++)
		if (at == result.valid)
			good = good && result.bad == text->size[at] &&
				result.reason == text->reason[at];
	return good && (result.valid < LEN ||
			(!result.bad && result.reason == UTF8VAL_OK));
}
#pragma CPROVER check pop

void prove_utf8val_valid(void)
{
	struct text text;
	uint8_t *s = any_text(&text);

	__CPROVER_assert(utf8val_valid(s, LEN) == text.well_formed[LEN], "well-formed");
	__CPROVER_assert(0, REACHED);
}

void prove_utf8val_check(void)
{
	struct text text;
	uint8_t *s = any_text(&text);

	__CPROVER_assert(is_result(&text, utf8val_check(s, LEN)), "where and why");
	__CPROVER_assert(0, REACHED);
}

/* The largest boundary up to a place. */
void prove_utf8val_floor(void)
{
	struct text text;
	uint8_t *s = any_text(&text);
	size_t at, place, best = 0;

	for (at = 1; at < LEN; at++)
		if (at <= place && text.starts[at])
			best = at;
	__CPROVER_assert(utf8val_floor(s, LEN, place) == (place < LEN ? best : LEN),
			 "the largest");
	__CPROVER_assert(0, REACHED);
}
