/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Contracts and rows of utf8val.c with the compact and the word engine, for proof/prove.py. */
#include "prover.h"
#include "loops.h"

#define OLD_OFFSET(pos) OFFSET(__CPROVER_old(*(pos)))
#define IS_END(pos) (OLD_OFFSET(pos) == text_len)

static inline size_t utf8val_compact_walk(const uint8_t *s, size_t len, size_t at)
	__CPROVER_requires(INSIDE_TEXT(s, len) && at <= len && run[OFFSET(s) + at] == TEXT)
	__CPROVER_ensures(IS_PREFIX(OFFSET(s), len, __CPROVER_return_value))
	__CPROVER_assigns();
#ifdef UTF8VAL_ENGINE_WORD
#define prove_prefix prove_word_prefix
static inline uint32_t utf8val_load(const uint8_t *s)
	__CPROVER_requires(INSIDE_TEXT(s, 4))
	__CPROVER_ensures(BEGINS_WITH(OFFSET(s), __CPROVER_return_value))
	__CPROVER_assigns();
static inline bool utf8val_ascii_8(const uint8_t *s)
	__CPROVER_requires((OFFSET(s) & 3) == 0)
	__CPROVER_requires(INSIDE_TEXT(s, 8))
	__CPROVER_ensures(!__CPROVER_return_value || run[OFFSET(s)] != TEXT ||
			  run[OFFSET(s) + 8] == TEXT)
	__CPROVER_assigns();
static inline const uint8_t *utf8val_pass_words(const uint8_t *s, const uint8_t *last)
	__CPROVER_requires(INSIDE_TEXT(s, 4) && INSIDE_TEXT(last, 4) && s <= last && AT_BOUNDARY(s))
	__CPROVER_ensures(__CPROVER_pointer_in_range_dfcc(s, __CPROVER_return_value, last + 4))
	__CPROVER_ensures(AT_BOUNDARY(__CPROVER_return_value))
	__CPROVER_assigns();
#endif
size_t utf8val_prefix(const void *buf, size_t len)
	__CPROVER_requires(INSIDE_TEXT((const uint8_t *)buf, len) && AT_BOUNDARY((const uint8_t *)buf))
	__CPROVER_ensures(IS_PREFIX(OFFSET((const uint8_t *)buf), len, __CPROVER_return_value))
	__CPROVER_assigns();
/* at any place of the text, up to any later one; what it is there is known at the text's end */
#define OLD_LEFT(pos, end) ((size_t)((end) - __CPROVER_old(*(pos))))
enum utf8val_reason utf8val_next(const uint8_t **pos, const uint8_t *end, uint32_t *cp)
	__CPROVER_requires(INSIDE_TEXT(*pos, 0) && INSIDE_TEXT(end, 0) && *pos <= end)
	__CPROVER_ensures(*pos == __CPROVER_old(*pos) +
			  (unit[OLD_OFFSET(pos)] < OLD_LEFT(pos, end) ? unit[OLD_OFFSET(pos)] :
			   OLD_LEFT(pos, end)))
	__CPROVER_ensures(end != text + text_len || __CPROVER_return_value ==
			  (IS_END(pos) ? UTF8VAL_END : REASON_OF(what[OLD_OFFSET(pos)])))
	__CPROVER_ensures(end != text + text_len ||
			  *cp == (IS_END(pos) ? 0xFFFD : CODE_POINT_OF(what[OLD_OFFSET(pos)])))
	__CPROVER_assigns(*pos, *cp);

#include "utf8val.c"

/* A text that begins wrong stays wrong: the one lemma that know_step() assumes. */
void prove_dead(void)
{
	size_t at;

	any_text(LONGEST);
	__CPROVER_assume(any <= text_len && at <= any && run[at] == DEAD);
	while (at < any)
	CONTRACT(at, at <= any && run[at] == DEAD, any - at) {
		__CPROVER_assume(run[at + 1] == rfc_next(run[at], text[at]));
		at++;
	}
	PROVED(run[any] == DEAD, "dead for good");
	REACHED();
}

/* The text stands for any part of a longer one that begins at a boundary. */
void prove_walk(void)
{
	size_t at;

	any_text(LONGEST);
	__CPROVER_assume(at <= text_len && run[at] == TEXT);
	utf8val_compact_walk(text, text_len, at);
	REACHED();
}

void prove_prefix(void)
{
	any_text(LONGEST);
	utf8val_prefix(text, text_len);
	REACHED();
}

#ifdef UTF8VAL_ENGINE_WORD
#define PROVE_WORD(name, function, bytes, step) \
	void prove_##name(void) \
	{ \
		size_t at; \
\
		any_text(LONGEST); \
		__CPROVER_assume(text_len >= (bytes) && at <= text_len - (bytes) && at % (step) == 0); \
		know_run(at, bytes); \
		function(text + at); \
		REACHED(); \
	}
PROVE_WORD(load, utf8val_load, 4, 1)
PROVE_WORD(ascii, utf8val_ascii_8, 8, 4)

void prove_words(void)
{
	size_t at;

	any_text(LONGEST);
	__CPROVER_assume(text_len >= 4 && at <= text_len - 4 && run[at] == TEXT);
	utf8val_pass_words(text + at, text + (text_len - 4));
	REACHED();
}
#endif

void prove_valid(void)
{
	any_text(LONGEST);
	__CPROVER_assume(any == text_len);
	PROVED(utf8val_valid(text, text_len) == (run[text_len] == TEXT), "well-formed");
	REACHED();
}

PROVE_CHECK(prove_check)

/* From any value, which may be no state. */
void prove_feed(void)
{
	struct utf8val_dfa dfa;
	bool good;

	any_text_from(LONGEST, MEANS(dfa.state));
	__CPROVER_assume(any == text_len);
	good = utf8val_feed(&dfa, text, text_len);
	PROVED(MEANS(dfa.state) == run[text_len], "the state after all bytes");
	PROVED(!dfa.state || IS_LEAD(dfa.state) || dfa.state == UTF8VAL_REJECT, "a state");
	PROVED(good == (dfa.state != UTF8VAL_REJECT), "returned");
	REACHED();
}

void prove_step(void)
{
	struct utf8val_dfa dfa;
	uint32_t cp, before;
	uint8_t byte, state, old;

	before = cp;
	old = dfa.state;
	state = MEANS(dfa.state);
	PROVED(utf8val_step(&dfa, &cp, byte) == dfa.state, "returned");
	PROVED(MEANS(dfa.state) == rfc_next(state, byte), "the next state");
	PROVED(!dfa.state || IS_LEAD(dfa.state) || dfa.state == UTF8VAL_REJECT, "a state");
	PROVED(dfa.state == UTF8VAL_REJECT ||
	       cp == (state != TEXT ? before * 64 + (byte & 0x3F) : byte < 0x80 ? byte :
		      byte < 0xE0 ? byte - 0xC0 : byte < 0xF0 ? byte - 0xE0 : byte - 0xF0),
	       "the code point's bits so far");
	REACHED();
}

void prove_stream_init(void)
{
	struct utf8val_stream stream;

	any_text(LONGEST);
	utf8val_stream_init(&stream);
	PROVED(IS_FED(&stream, 0), "fed nothing");
	REACHED();
}

void prove_stream_feed(void)
{
	struct utf8val_stream stream;
	size_t len;
	bool good;

	any_text(LONGEST);
	__CPROVER_assume(fed <= text_len && len <= text_len - fed && IS_FED(&stream, fed));
	fed_stream = &stream;
	good = utf8val_stream_feed(&stream, text + fed, len);
	PROVED(IS_FED(&stream, fed + len), "fed so much more");
	PROVED(good == (stream.reason == UTF8VAL_OK), "returned");
	REACHED();
}

void prove_stream_finish(void)
{
	struct utf8val_stream stream;
	struct utf8val_result result;

	any_text(LONGEST);
	__CPROVER_assume(IS_FED(&stream, text_len));
	result = utf8val_stream_finish(&stream);
	PROVE_RESULT(result);
	REACHED();
}

void prove_next(void)
{
	const uint8_t *pos;
	uint32_t cp;
	size_t at, end;

	any_text(LONGEST);
	__CPROVER_assume(end <= text_len && at <= end);
	pos = text + at;
	know_unit(at);
	utf8val_next(&pos, text + end, &cp);
	REACHED();
}

/* How many sequences, and the result's length. */
#define PROVE_SUM(name, sum) \
	void prove_##name(void) \
	{ \
		any_text(LONGEST); \
		PROVED(utf8val_##name(text, text_len) == sum[text_len], "of all of them"); \
		REACHED(); \
	}
PROVE_SUM(count, count)
PROVE_SUM(replaced_size, size)

/* The lemmas of know_shape() and know_owner(), of any place. */
void prove_unit(void)
{
	any_text(LONGEST);
	__CPROVER_assume(any < text_len);
	know_unit(any);
	PROVED(IS_SHORT(any) && IS_ALONE(any) && HAS_TAILS(any, 1) && HAS_TAILS(any, 2) &&
	       HAS_TAILS(any, 3), "what a sequence is like");
	REACHED();
}

void prove_owner(void)
{
	size_t at = 0;

	any_text(LONGEST);
	__CPROVER_assume(any < text_len);
	know_shape(0);
	while (at + unit[at] <= any)
	CONTRACT(at, at <= any && starts[at] && IS_SHORT(at), any - at) {
		know_shape(at);
		at += unit[at];
		know_shape(at);
	}
	know_shape(at);
	PROVED(at <= any && OWNS(any, any - at) && any - at < 4, "one of four has it");
	__CPROVER_assume(HAS_TAILS(at, 1) && HAS_TAILS(at, 2) && HAS_TAILS(at, 3));
	PROVED(IS_TAIL_OR_STARTS(any), "no other starts");
	REACHED();
}

void prove_prev(void)
{
	enum utf8val_reason reason;
	const uint8_t *pos;
	size_t end, back;
	uint32_t cp;

	any_text(LONGEST);
	pos = text + text_len;
	end = text_len - 1;
	know_owner(end);
	reason = utf8val_prev(&pos, text, &cp);
	if (!text_len)
		PROVED(pos == text && reason == UTF8VAL_END && cp == 0xFFFD, "none");
	else
		for (back = 0; back < 4; back++)
			PROVED(!OWNS(end, back) || (INSIDE_TEXT(pos, 0) && OFFSET(pos) == end - back &&
						    reason == REASON_OF(what[end - back]) &&
						    cp == CODE_POINT_OF(what[end - back])),
			       "the last sequence, its reason or code point");
	REACHED();
}

void prove_floor(void)
{
	size_t at, back, got;

	any_text(LONGEST);
	know_owner(at);
	got = utf8val_floor(text, text_len, at);
	if (at >= text_len)
		PROVED(got == text_len, "the end");
	else
		for (back = 0; back < 4; back++)
			PROVED(!OWNS(at, back) || got == at - back,
			       "where the byte's sequence begins");
	REACHED();
}

void prove_trim(void)
{
	size_t end, back, got;

	any_text(LONGEST);
	end = text_len - 1;
	know_owner(end);
	got = utf8val_trim(text, text_len);
	if (!text_len)
		PROVED(!got, "none");
	else
		for (back = 0; back < 4; back++)
			PROVED(!OWNS(end, back) ||
			       got == (what[end - back] == -UTF8VAL_TRUNCATED ? end - back :
				       text_len), "without a sequence that the end cuts off");
	REACHED();
}

/* "any" is any sequence, of whose result it looks at any byte. */
void prove_replace(void)
{
	struct utf8val_replaced done;
	uint8_t *dst;
	size_t cap;

	any_text(LONGEST);
	__CPROVER_assume(cap <= 4 * LONGEST);
	dst = malloc(cap);
	__CPROVER_assume(dst);
	know_shape(any);
	__CPROVER_assume(any >= text_len || (starts[any] && nth < REPLACED(any)));
	__CPROVER_assume(behind >= cap || dst[behind] == kept);
	done = utf8val_replace(dst, cap, text, text_len);
	know_shape(done.read);
	PROVED(done.read <= text_len && starts[done.read], "whole sequences");
	PROVED(done.written == size[done.read] && done.written <= cap, "the result's length");
	PROVED(done.read == text_len || done.written + REPLACED(done.read) > cap, "all that fit");
	PROVED(done.read <= any || (size[any] + nth < done.written &&
				    dst[size[any] + nth] == COPIED(any, nth)), "each byte");
	PROVED(behind >= cap || behind < done.written || dst[behind] == kept, "no more");
	REACHED();
}

/* Of any number, it writes the one character of that code point, or nothing. */
void prove_encode(void)
{
	uint8_t out[4], old[4];
	uint32_t cp;
	int32_t got = -1;
	size_t i, len;

	for (i = 0; i < 4; i++)
		old[i] = out[i];
	len = utf8val_encode(cp, out);
	PROVED(!len == (cp > 0x10FFFF || RFC_IN(cp, 0xD800, 0xDFFF)), "is there one");
	PROVED(!len || (len <= 4 && rfc_unit(out, len, &got) == len && got == (int32_t)cp),
	       "its bytes");
	for (i = 0; i < 4; i++)
		PROVED(i < len || out[i] == old[i], "nothing else");
	REACHED();
}

PROVE_REASON_NAME(prove_reason_name)
