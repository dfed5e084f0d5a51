/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What by_cbmc.py asks of whole entries of the core, with each engine: is the result,
 * for every text of LEN bytes, what the rules and utf8val.h's words say of it? Here it
 * is found for each position in turn; nothing is shared with the core.
 */
#include "utf8val.c"

#define REACHED "an input that the contract allows returns"

void *malloc(__SIZE_TYPE__);

/* What finds it reads arrays at known places: to check that takes most of the time. */
#pragma CPROVER check push
#pragma CPROVER check disable "bounds"
#pragma CPROVER check disable "pointer"
#pragma CPROVER check disable "pointer-overflow"
#pragma CPROVER check disable "pointer-primitive"
#pragma CPROVER check disable "signed-overflow"
#include "points.h"

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
			text->begins[at + size] |=
				text->well_formed[at] && size <= begun;
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

void prove_utf8val_prefix(void)
{
	struct text text;
	uint8_t *s = any_text(&text);

	__CPROVER_assert(utf8val_prefix(s, LEN) == longest(&text), "the longest");
	__CPROVER_assert(0, REACHED);
}

void prove_utf8val_check(void)
{
	struct text text;
	uint8_t *s = any_text(&text);

	__CPROVER_assert(is_result(&text, utf8val_check(s, LEN)), "where and why");
	__CPROVER_assert(0, REACHED);
}

/* Cut after so many bytes, or fewer at its end, it has the same result. */
void prove_utf8val_stream(void)
{
	struct utf8val_stream stream;
	struct text text;
	uint8_t *s = any_text(&text);
	const size_t first = FIRST < LEN ? FIRST : LEN;
	bool good;

	utf8val_stream_init(&stream);
	utf8val_stream_feed(&stream, s, first);
	good = utf8val_stream_feed(&stream, s + first, LEN - first);
	__CPROVER_assert(is_result(&text, utf8val_stream_finish(&stream)),
			 "where and why");
	__CPROVER_assert(good == (stream.reason == UTF8VAL_OK), "can it go on");
	__CPROVER_assert(0, REACHED);
}

void prove_utf8val_count(void)
{
	struct text text;
	uint8_t *s = any_text(&text);
	size_t at, units = 0;

	for (at = 0; at < LEN; at++)
		units += text.starts[at];
	__CPROVER_assert(utf8val_count(s, LEN) == units, "sequences");
	__CPROVER_assert(0, REACHED);
}

/* From each place where a sequence starts. */
void prove_utf8val_next(void)
{
	struct text text;
	uint8_t *s = any_text(&text);
	const uint8_t *pos;
	size_t at;
	int32_t cp;

	__CPROVER_assume(at <= LEN);
	pos = utf8val_next(s + at, s + LEN, &cp);
	__CPROVER_assert(pos == s + at + (at < LEN ? text.size[at] : 0), "its end");
	if (at < LEN && text.reason[at] == UTF8VAL_OK)
		__CPROVER_assert(cp == (int32_t)wanted_cp(UTF8VAL_FORM_UTF8,
							  text.bytes + at,
							  text.size[at]),
				 "its code point");
	else
		__CPROVER_assert(cp == (at < LEN ? -text.reason[at] : UTF8VAL_END),
				 "its reason");
	__CPROVER_assert(0, REACHED);
}

/* The last sequence of the text. */
void prove_utf8val_prev(void)
{
	struct text text;
	uint8_t *s = any_text(&text);
	int32_t cp;
	const uint8_t *pos = utf8val_prev(s + LEN, s, &cp);
	size_t at;

	for (at = 0; at < LEN; at++) {
		if (!text.starts[at] || at + text.size[at] != LEN)
			continue;
		__CPROVER_assert(pos == s + at, "its start");
		__CPROVER_assert(cp == (text.reason[at] ? -text.reason[at] :
			(int32_t)wanted_cp(UTF8VAL_FORM_UTF8, text.bytes + at,
					   text.size[at])), "what it is");
	}
	__CPROVER_assert(LEN || (pos == s && cp == UTF8VAL_END), "the start");
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

/* All but the last sequence, if more bytes could complete that. */
void prove_utf8val_trim(void)
{
	struct text text;
	uint8_t *s = any_text(&text);
	size_t at, want = LEN;

	for (at = 0; at < LEN; at++)
		if (text.starts[at] && at + text.size[at] == LEN &&
		    text.reason[at] == UTF8VAL_TRUNCATED)
			want = at;
	__CPROVER_assert(utf8val_trim(s, LEN) == want, "what is left");
	__CPROVER_assert(0, REACHED);
}

static bool is_state(const struct text *text, uint32_t state)
{
	return (state == UTF8VAL_ACCEPT) == text->well_formed[LEN] &&
		(state == UTF8VAL_REJECT) == !text->begins[LEN];
}

void prove_utf8val_step(void)
{
	struct text text;
	const uint8_t *s = any_text(&text);
	struct utf8val_dfa dfa = { UTF8VAL_ACCEPT };
	size_t at;
	uint32_t cp;

	for (at = 0; at < LEN; at++)
		__CPROVER_assert(utf8val_step(&dfa, &cp, s[at]) == dfa.state,
				 "returned");
	__CPROVER_assert(is_state(&text, dfa.state), "the state");
	for (at = 0; at < LEN; at++)
		if (text.well_formed[at] && text.well_formed[LEN] &&
		    at + text.size[at] == LEN)
			__CPROVER_assert(cp == wanted_cp(UTF8VAL_FORM_UTF8,
							 text.bytes + at,
							 text.size[at]),
					 "the last character's code point");
	__CPROVER_assert(0, REACHED);
}

/* Of any number, what it writes is the one character of that code point. */
void prove_utf8val_encode(void)
{
	uint32_t cp;
	uint8_t *out = malloc(4);
	uint8_t old[4];
	size_t at, begun, size;

	__CPROVER_assume(out);
	for (at = 0; at < 4; at++)
		out[at] = old[at];
	size = utf8val_encode(cp, out);
	__CPROVER_assert((size != 0) == carries(UTF8VAL_FORM_UTF8, cp), "is there one");
	__CPROVER_assert(!size || (char_size(UTF8VAL_FORM_UTF8, out, size, &begun) == size
				   && wanted_cp(UTF8VAL_FORM_UTF8, out, size) == cp),
			 "the character of this code point");
	for (at = 0; at < 4; at++)
		__CPROVER_assert(at < size || out[at] == old[at], "nothing else");
	__CPROVER_assert(0, REACHED);
}
