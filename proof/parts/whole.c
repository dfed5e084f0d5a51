/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What shared.c asks of the core, with each engine, and the core's further entries. */
#include "utf8val.c"
#include "shared.c"

void prove_utf8val_prefix(void)
{
	struct text text;
	uint8_t *s = any_text(&text);

	__CPROVER_assert(utf8val_prefix(s, LEN) == longest(&text), "the longest");
	__CPROVER_assert(0, REACHED);
}

static uint32_t cp_at(const struct text *text, size_t at)
{
	return wanted_cp(UTF8VAL_FORM_UTF8, text->bytes + at, text->size[at]);
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
		__CPROVER_assert(cp == (int32_t)cp_at(&text, at), "its code point");
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
			(int32_t)cp_at(&text, at)), "what it is");
	}
	__CPROVER_assert(LEN || (pos == s && cp == UTF8VAL_END), "the start");
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
		__CPROVER_assert(utf8val_step(&dfa, &cp, s[at]) == dfa.state, "returned");
	__CPROVER_assert(is_state(&text, dfa.state), "the state");
	for (at = 0; at < LEN; at++)
		if (text.well_formed[at] && text.well_formed[LEN] &&
		    at + text.size[at] == LEN)
			__CPROVER_assert(cp == cp_at(&text, at),
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

/* How long the result is before each place of the text. */
static size_t result_size(const struct text *text, size_t to[LEN + 1])
{
	size_t at;

	for (at = to[0] = 0; at < LEN; at++)
		to[at + 1] = to[at] + (!text->starts[at] ? 0 :
				       text->reason[at] ? 3 : text->size[at]);
	return to[LEN];
}

void prove_utf8val_replaced_size(void)
{
	struct text text;
	size_t to[LEN + 1];
	uint8_t *s = any_text(&text);

	__CPROVER_assert(utf8val_replaced_size(s, LEN) == result_size(&text, to),
			 "the length of the result");
	__CPROVER_assert(0, REACHED);
}

/* In room of ROOM bytes: whole characters, up to the first that does not fit. */
void prove_utf8val_replace(void)
{
	static const uint8_t mark[] = { 0xEF, 0xBF, 0xBD };
	struct text text;
	size_t to[LEN + 1];
	uint8_t *s = any_text(&text);
	uint8_t *d = malloc(ROOM);
	uint8_t old[ROOM + 1];
	struct utf8val_replaced done;
	size_t unit, at, i, wanted = 0;

	__CPROVER_assume(d);
	for (i = 0; i < ROOM; i++)
		d[i] = old[i];
	result_size(&text, to);
	for (at = 0; at <= LEN; at++)
		if (text.starts[at] && to[at] <= ROOM)
			wanted = at;
	done = utf8val_replace(d, ROOM, s, LEN);
	__CPROVER_assert(done.read == wanted && done.written == to[wanted],
			 "as much as fits");
	for (i = to[wanted]; i < ROOM; i++)
		__CPROVER_assert(d[i] == old[i], "nothing after it");
	for (i = 0; i < 4; i++)
		if (unit < wanted && text.starts[unit] && i < to[unit + 1] - to[unit])
			__CPROVER_assert(d[to[unit] + i] == (text.reason[unit] ?
				mark[i] : text.bytes[unit + i]), "each of these");
	__CPROVER_assert(0, REACHED);
}
