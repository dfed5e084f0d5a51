/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A text of any length and content, what the specification says of it, and how the sources'
 * UTF8VAL_LOOP() and UTF8VAL_FUNCTION() become contracts (loops.h). All rows include this.
 *
 * The specification's answers are in arrays without an end, of any content. know_*()
 * assumes of single places what defines these arrays: the step of a recursion, which has
 * a solution for each text. Its lemmas are proved by the rows "dead", "unit" and "owner".
 */
#ifndef PROOF_PROVER_H
#define PROOF_PROVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8VAL_LOOP(name) LOOP_##name
#define UTF8VAL_FUNCTION(name) FUNCTION_##name
/* A loop's contract: its writes, the invariant, and the value that falls each round. */
#define CONTRACT(writes, holds, falls) __CPROVER_assigns(writes) \
	__CPROVER_loop_invariant(holds) __CPROVER_decreases(falls)
#define LONGEST ((size_t)1 << 40)
#define WRITES(...) __VA_ARGS__
#define KNOWING(known) if (((known), REACHED(), 1))
#define ENDLESS __CPROVER_constant_infinity_uint
/* An assertion, and one that must fail: an input gets there, or the first shows nothing. */
#define PROVED(condition, says) \
	(__CPROVER_assert(condition, says), __CPROVER_assert(0, "asserted"))
/* Ends each row, begins rounds, and must fail too: if PROVED() asserted nothing, all would. */
#define REACHED() PROVED(0, "reached")

#include "rfc3629.h"

struct utf8val_stream;

void *malloc(size_t);

static const uint8_t *text;
static size_t text_len;
/* any place, of which a row speaks */
static size_t any;
/* another, where a row needs one */
static size_t mid;
/* the automaton's state after so many bytes */
static uint8_t run[ENDLESS];

static void know_step(size_t at)
{
	if (at >= text_len)
		return;
	__CPROVER_assume(run[at + 1] == rfc_next(run[at], text[at]));
	/* the row "dead" */
	if (at < any)
		__CPROVER_assume(run[at + 1] != DEAD || run[any] == DEAD);
}

/* the same of any two places */
static void know_dead(size_t at, size_t later)
{
	if (at <= later && later <= text_len)
		__CPROVER_assume(run[at] != DEAD || run[later] == DEAD);
}

static void know_run(size_t at, size_t steps)
{
	size_t i;

	for (i = 0; i < steps; i++)
		if (at + i < text_len)
			__CPROVER_assume(run[at + i + 1] == rfc_next(run[at + i], text[at + i]));
}

static void know_steps(size_t at, size_t steps)
{
	size_t i;

	for (i = 0; i < steps; i++)
		know_step(at + i);
}

/*
 * The sequence that would start at a place: how long it is, and its code point, or its
 * reason below 0. Of those that do start one after another from the text's start: does one start
 * here (or the text end), how many are before, how long is what replaces them.
 */
static size_t unit[ENDLESS];
static int32_t what[ENDLESS];
static bool starts[ENDLESS];
static size_t count[ENDLESS];
static size_t size[ENDLESS];

#define REPLACED(at) (what[at] < 0 ? 3 : unit[at])

/* of those that start, each begins where the one before ends */
static void know_order(size_t at)
{
	size_t i;

	if (at >= text_len || !starts[at])
		return;
	for (i = 1; i < 4; i++)
		__CPROVER_assume(i >= unit[at] || !starts[at + i]);
	__CPROVER_assume(starts[at + unit[at]] && count[at + unit[at]] == count[at] + 1 &&
			 size[at + unit[at]] == size[at] + REPLACED(at));
}

static void know_unit(size_t at)
{
	int32_t cp;

	if (at >= text_len)
		return;
	__CPROVER_assume(unit[at] == rfc_unit(text + at, text_len - at, &cp) && what[at] == cp);
	know_order(at);
}

/*
 * Lemmas of each place, which the row "unit" proves: how long a sequence is; a tail that
 * starts one is alone; others have tails. And by "owner", bytes that start none are tails.
 */
#define IS_TAIL(at) RFC_IN(text[at], 0x80, 0xBF)
#define IS_SHORT(at) (unit[at] >= 1 && unit[at] <= 4 && unit[at] <= text_len - (at) && \
	what[at] > -UTF8VAL_REASONS && (what[at] >= 0 || unit[at] <= 3))
#define IS_TAIL_OR_STARTS(at) (starts[at] || IS_TAIL(at))
#define IS_ALONE(at) (!IS_TAIL(at) || (unit[at] == 1 && what[at] == -UTF8VAL_STRAY_TAIL))
#define HAS_TAILS(at, i) (unit[at] <= (i) || IS_TAIL(at + i))

static void know_shape(size_t at)
{
	if (at >= text_len)
		return;
	__CPROVER_assume(IS_SHORT(at));
	know_order(at);
}

/* Has the sequence @back bytes before a place that byte? One of four does. */
#define OWNS(at, back) ((back) <= (at) && starts[(at) - (back)] && unit[(at) - (back)] > (back))

static void know_owner(size_t at)
{
	size_t i;

	if (at >= text_len)
		return;
	__CPROVER_assume(OWNS(at, 0) || OWNS(at, 1) || OWNS(at, 2) || OWNS(at, 3));
	for (i = 0; i < 4 && i <= at; i++) {
		know_shape(at - i);
		__CPROVER_assume(IS_TAIL_OR_STARTS(at - i) && IS_ALONE(at - i) &&
				 (i < 1 || unit[at - i] < 2 || IS_TAIL(at - i + 1)) &&
				 (i < 2 || unit[at - i] < 3 || IS_TAIL(at - i + 2)) &&
				 (i < 3 || unit[at - i] < 4 || IS_TAIL(at - i + 3)));
	}
}

/* The result of utf8val_next() for a unit, and the code point that it stores. */
#define REASON_OF(what) ((what) < 0 ? -(what) : UTF8VAL_OK)
#define CODE_POINT_OF(what) ((what) < 0 ? 0xFFFD : (what))

/* Is the text's sequence at @at ill-formed, so long, and for that reason? */
#define IS_BAD(at, size, why) \
	((at) < text_len && unit[at] == (size) && what[at] == -(int32_t)(why))

/* The stream that decodes a copy of the text's bytes, if any, and how many it was fed before. */
static size_t fed;
static const struct utf8val_stream *fed_stream;

/* Of utf8val_replace(): the nth byte of any sequence's result; one behind all, as it was. */
static size_t nth, behind;
static uint8_t kept;

/* A text of up to @longest bytes, before which the automaton is in a state. */
static void any_text_from(size_t longest, uint8_t state)
{
	size_t len;
	uint8_t *object;

	__CPROVER_assume(len <= longest);
	fed_stream = NULL;
	object = malloc(len);
	__CPROVER_assume(object);
	text = object;
	text_len = len;
	__CPROVER_assume(run[0] == state && starts[0] && !count[0] && !size[0]);
}

static void any_text(size_t longest)
{
	any_text_from(longest, TEXT);
}

/* Of @len bytes from @from on, the first @good are the longest well-formed prefix. */
#define IS_PREFIX(from, len, good) \
	((good) <= (len) && run[(from) + (good)] == TEXT && \
	 (any <= (from) + (good) || any > (from) + (len) || run[any] != TEXT))

/* The result of utf8val_check(). "any" is where the sequence ends: the prefix does not. */
#define PROVE_RESULT(result) \
	do { \
		know_steps(result.valid, 4); \
		know_unit(result.valid); \
		PROVED(IS_PREFIX(0, text_len, result.valid), "where"); \
		PROVED(result.valid == text_len ? !result.bad && result.reason == UTF8VAL_OK : \
		       any != result.valid + unit[result.valid] || \
		       IS_BAD(result.valid, result.bad, result.reason), "and why"); \
	} while (0)

#define PROVE_CHECK(row) \
	void row(void) \
	{ \
		struct utf8val_result result; \
\
		any_text(LONGEST); \
		result = utf8val_check(text, text_len); \
		PROVE_RESULT(result); \
		REACHED(); \
	}

/* The word for each reason, and for what is none. */
#define PROVE_REASON_NAME(row) \
	void row(void) \
	{ \
		static const char *const words[] = { \
			"ok", "truncated", "stray tail", "missing tail", "overlong", "surrogate", \
			"too large", "bad lead", "unknown" \
		}; \
		unsigned int reason; \
		const char *word = utf8val_reason_name(reason); \
		const char *want = words[reason < 8 ? reason : 8]; \
		size_t i; \
\
		for (i = 0; want[i]; i++) \
			PROVED(word[i] == want[i], "its word"); \
		PROVED(!word[i], "and no more"); \
		REACHED(); \
	}

#endif /* PROOF_PROVER_H */
