/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What utf8val.c says with the compact and the word engine. */
#include "prover.h"
#include "loops.h"

#define INSIDE_TEXT(s, len) \
	(__CPROVER_same_object(s, text) && text <= (s) && (len) <= text_len - OFFSET(s))

static inline size_t utf8val_compact_walk(const uint8_t *s, size_t len, size_t at)
	__CPROVER_requires(INSIDE_TEXT(s, len) && at <= len && AT_BOUNDARY(s + at))
	__CPROVER_ensures(IS_PREFIX(OFFSET(s), len, __CPROVER_return_value))
	__CPROVER_assigns();
size_t utf8val_prefix(const void *buf, size_t len)
	__CPROVER_requires(INSIDE_TEXT((const uint8_t *)buf, len) && AT_BOUNDARY((const uint8_t *)buf))
	__CPROVER_ensures(IS_PREFIX(OFFSET((const uint8_t *)buf), len, __CPROVER_return_value))
	__CPROVER_assigns();

#include "utf8val.c"

/* What begins wrong stays wrong: the one lemma that know_step() assumes. */
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

/*
 * The text stands for any part of a longer one that begins at a boundary: the run from
 * there on is the run over that part.
 */
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

/* The word engine, whose walk begins so many bytes after an aligned word. */
void prove_word(void)
{
	size_t good;

	any_text(LONGEST);
	good = utf8val_prefix(text, text_len);
	PROVED(IS_PREFIX(0, text_len, good), "the longest prefix");
	REACHED();
}

void prove_valid(void)
{
	any_text(LONGEST);
	__CPROVER_assume(any == text_len);
	PROVED(utf8val_valid(text, text_len) == (run[text_len] == TEXT), "well-formed");
	REACHED();
}

static bool is_result(struct utf8val_result result)
{
	return IS_PREFIX(0, text_len, result.valid) &&
		(result.valid == text_len ? !result.bad && result.reason == UTF8VAL_OK :
		 IS_BAD(result.valid, result.bad, result.reason));
}

void prove_check(void)
{
	struct utf8val_result result;

	any_text(LONGEST);
	result = utf8val_check(text, text_len);
	know_steps(result.valid, 4);
	know_unit(result.valid);
	PROVED(IS_PREFIX(0, text_len, result.valid), "where");
	/* "any" is where the sequence ends: the prefix does not */
	PROVED(result.valid == text_len ? !result.bad && result.reason == UTF8VAL_OK :
	       any != result.valid + unit[result.valid] ||
	       IS_BAD(result.valid, result.bad, result.reason), "and why");
	REACHED();
}

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
	know_steps(stream.valid, 4);
	PROVED(is_result(result), "where and why, as utf8val_check() has it");
	REACHED();
}

/* At any place, as at most four bytes are read. */
void prove_next(void)
{
	int32_t want = -UTF8VAL_END;
	enum utf8val_reason reason;
	const uint8_t *pos;
	size_t unit = 0;
	uint32_t cp;

	any_text(LONGEST);
	if (text_len)
		unit = rfc_unit(text, text_len, &want);
	pos = text;
	reason = utf8val_next(&pos, text + text_len, &cp);
	PROVED(pos == text + unit, "its end");
	PROVED(reason == REASON_OF(want), "its reason");
	PROVED(cp == CODE_POINT_OF(want), "its code point");
	REACHED();
}

void prove_count(void)
{
	any_text(LONGEST);
	PROVED(utf8val_count(text, text_len) == count[text_len], "how many");
	REACHED();
}

void prove_replaced_size(void)
{
	any_text(LONGEST);
	PROVED(utf8val_replaced_size(text, text_len) == size[text_len], "the result's length");
	REACHED();
}

void prove_replace(void)
{
	struct utf8val_replaced done;
	size_t cap;
	uint8_t *d;

	any_text(LONGEST);
	__CPROVER_assume(cap <= 4 * LONGEST);
	d = malloc(cap);
	__CPROVER_assume(d);
	if (other < cap)
		other_byte = d[other];
	done = utf8val_replace(d, cap, text, text_len);
	PROVED(done.read <= text_len && starts[done.read], "up to a sequence");
	PROVED(done.written == size[done.read] && done.written <= cap, "what it stands for");
	PROVED(any >= done.read || IS_REPLACED(d, done.written), "each sequence, in its place");
	PROVED(other < done.written || other >= cap || d[other] == other_byte, "nothing else");
	if (done.read < text_len) {
		know_unit(done.read);
		PROVED(REPLACED(done.read) > cap - done.written, "the next one does not fit");
	}
	REACHED();
}

/*
 * Where the sequence starts that includes the byte at @at < text_len: the sequences from
 * the text's start are passed one after another. Of the last byte up to @at that is no
 * tail, if one of four is none, the passing remembers that a sequence starts there.
 */
static size_t start_of_unit(size_t at)
{
	size_t first = 0, i;

	any = at;
	for (i = 0; i < 3 && any && RFC_IN(text[any], 0x80, 0xBF); i++)
		any--;
	know_unit(0);
	while (unit[first] <= at - first)
	CONTRACT(first, first <= at && starts[first] && unit[first] >= 1 &&
		 (any >= first || RFC_IN(text[any], 0x80, 0xBF) || any + unit[any] <= first),
		 at - first) {
		know_unit(any);
		know_unit(first);
		first += unit[first];
		know_unit(first);
	}
	know_unit(first);
	return first;
}

void prove_floor(void)
{
	size_t at, first;

	any_text(LONGEST);
	first = at < text_len ? start_of_unit(at) : text_len;
	PROVED(utf8val_floor(text, text_len, at) == first, "where its sequence starts");
	REACHED();
}

void prove_prev(void)
{
	int32_t want = -UTF8VAL_END;
	enum utf8val_reason reason;
	const uint8_t *pos;
	size_t first = 0;
	uint32_t cp;

	any_text(LONGEST);
	if (text_len) {
		first = start_of_unit(text_len - 1);
		want = what[first];
	}
	pos = text + text_len;
	reason = utf8val_prev(&pos, text, &cp);
	PROVED(pos == text + first, "its start");
	PROVED(reason == REASON_OF(want), "its reason");
	PROVED(cp == CODE_POINT_OF(want), "its code point");
	REACHED();
}

void prove_trim(void)
{
	size_t first = 0;
	int32_t cp = 0;

	any_text(LONGEST);
	if (text_len) {
		first = start_of_unit(text_len - 1);
		cp = what[first];
	}
	PROVED(utf8val_trim(text, text_len) ==
	       (cp == -UTF8VAL_TRUNCATED ? first : text_len), "without what is cut");
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

/* The word for each reason, and for what is none. */
void prove_reason_name(void)
{
	static const char *const words[] = {
		"ok", "truncated", "stray tail", "missing tail", "overlong", "surrogate",
		"too large", "bad lead", "unknown"
	};
	unsigned int reason;
	const char *word = utf8val_reason_name(reason);
	const char *want = words[reason < 8 ? reason : 8];
	size_t i;

	for (i = 0; want[i]; i++)
		PROVED(word[i] == want[i], "its word");
	PROVED(!word[i], "and no more");
	REACHED();
}
