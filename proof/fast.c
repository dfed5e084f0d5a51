/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Contracts and rows of the fast engine: its steps, size classes and functions. */
#include "prover.h"
#include "loops.h"
#include "engine/fast_rows.h"

/* a walk's state from a place on, over so many bytes */
#define WALKS(before, s, len, after) \
	(!IS_AT(before, OFFSET(s)) || IS_AT(after, OFFSET(s) + (len)))
/* if a boundary is before, or at "mid", if that is between, one is behind */
#define BEGIN(s, len) (OFFSET(s) <= mid && mid - OFFSET(s) < (len) ? mid : OFFSET(s))
#define PASSES(s, len) (run[BEGIN(s, len)] != TEXT || run[OFFSET(s) + (len)] == TEXT)
static inline uint32_t fast_walk(uint32_t state, const uint8_t *s)
	__CPROVER_requires(INSIDE_TEXT(s, 8))
	__CPROVER_ensures(WALKS(state, s, 8, __CPROVER_return_value))
	__CPROVER_assigns();
static inline bool fast_ascii32(const uint8_t *s) __CPROVER_requires(INSIDE_TEXT(s, 32))
	__CPROVER_ensures(!__CPROVER_return_value || PASSES(s, 32))
	__CPROVER_assigns();
static inline bool fast_ascii_name(const uint8_t *s, size_t len)
	__CPROVER_requires(len >= 8 && len <= 48 && INSIDE_TEXT(s, len))
	__CPROVER_ensures(!__CPROVER_return_value || PASSES(s, len))
	__CPROVER_assigns();
static inline bool fast_are_twos(const uint8_t *s)
	__CPROVER_requires(INSIDE_TEXT(s, 33))
	__CPROVER_ensures(!__CPROVER_return_value || !IS_IN_TWOS(OFFSET(s) + 1) || IS_IN_TWOS(OFFSET(s) + 33))
	__CPROVER_assigns();
#define ARE_TEXT(s, len) \
	__CPROVER_requires(INSIDE_TEXT(s, len)) \
	__CPROVER_ensures(!__CPROVER_return_value || run[OFFSET(s)] != TEXT || run[OFFSET(s) + (len)] == TEXT) \
	__CPROVER_assigns()
static inline bool fast_are_threes(const uint8_t *s) ARE_TEXT(s, 24);
static inline bool fast_are_fours(const uint8_t *s) ARE_TEXT(s, 32);
/* the end of a run: a boundary, at the earliest where it began */
#define RUN_BEGINS(s, at, len) \
	__CPROVER_requires(s == text && len == text_len) \
	__CPROVER_requires((at) <= (len)) __CPROVER_requires(run[at] == TEXT)
#define RUN_ENDS(s, at, len) \
	__CPROVER_ensures(__CPROVER_return_value >= (at) && __CPROVER_return_value <= (len) && \
			  run[__CPROVER_return_value] == TEXT) \
	__CPROVER_assigns()
static size_t fast_run_ascii(const uint8_t *s, size_t at, size_t len)
	RUN_BEGINS(s, at, len) RUN_ENDS(s, at, len);
static size_t fast_run_twos(const uint8_t *s, size_t at, size_t len)
	RUN_BEGINS(s, at, len)
	__CPROVER_requires(at < len && s[at] < 0xE0)
	RUN_ENDS(s, at, len);
static size_t fast_run_threes(const uint8_t *s, size_t at, size_t len)
	RUN_BEGINS(s, at, len) RUN_ENDS(s, at, len);
static size_t fast_run_fours(const uint8_t *s, size_t at, size_t len)
	RUN_BEGINS(s, at, len) RUN_ENDS(s, at, len);
/* of a text from a boundary on, of which so much was passed */
#define HAS_PASSED(s, passed) \
	__CPROVER_requires(INSIDE_TEXT(s, 8) && INSIDE_TEXT(s, passed)) \
	__CPROVER_requires(passed >= 8 || AT_BOUNDARY(s)) \
	__CPROVER_requires(run[OFFSET(s) + passed] != DEAD)
static inline uint32_t fast_state(const uint8_t *s, size_t passed) HAS_PASSED(s, passed)
	__CPROVER_ensures(IS_AT(__CPROVER_return_value, OFFSET(s) + passed))
	__CPROVER_assigns();
static inline size_t fast_boundary(const uint8_t *s, size_t passed) HAS_PASSED(s, passed)
	__CPROVER_ensures(IS_PREFIX(OFFSET(s), passed, __CPROVER_return_value) &&
			  passed - __CPROVER_return_value <= 3)
	__CPROVER_assigns();
static inline size_t fast_before_rejected(const uint8_t *s, size_t passed)
	__CPROVER_requires(passed <= text_len && INSIDE_TEXT(s, passed + 8))
	__CPROVER_requires(passed >= 8 || AT_BOUNDARY(s))
	__CPROVER_requires(run[OFFSET(s) + passed] != DEAD)
	__CPROVER_requires(run[OFFSET(s) + passed + 8] == DEAD)
	__CPROVER_ensures(__CPROVER_return_value < passed + 8 &&
			  IS_PREFIX(OFFSET(s), text_len - OFFSET(s), __CPROVER_return_value))
	__CPROVER_assigns();
/* if more than 3 bytes are left, then nothing can follow, behind @len either */
static size_t fast_walk_both(const uint8_t *s, size_t len)
	__CPROVER_requires(len >= 16 && INSIDE_TEXT(s, len))
	__CPROVER_requires(AT_BOUNDARY(s))
	__CPROVER_ensures(IS_PREFIX(OFFSET(s), len, __CPROVER_return_value))
	__CPROVER_ensures(len - __CPROVER_return_value <= 3 ||
			  IS_PREFIX(OFFSET(s), text_len - OFFSET(s), __CPROVER_return_value))
	__CPROVER_assigns();
static inline size_t fast_prefix_rest(const uint8_t *s, size_t at, size_t len)
	RUN_BEGINS(s, at, len)
	__CPROVER_requires(len >= 32)
	__CPROVER_ensures(IS_PREFIX(0, len, __CPROVER_return_value))
	__CPROVER_assigns();
/* of the whole text, of which so long ones are allowed */
#define FINDS_PREFIX(s, len, longs) \
	__CPROVER_requires(s == text && len == text_len && AT_BOUNDARY(s) && (longs)) \
	__CPROVER_ensures(IS_PREFIX(0, len, __CPROVER_return_value)) \
	__CPROVER_assigns()
static size_t fast_prefix_line(const uint8_t *s, size_t len) FINDS_PREFIX(s, len, len > 48);
static size_t fast_prefix_text(const uint8_t *s, size_t len, size_t *tails)
	FINDS_PREFIX(s, len, len > 48 && !tails);
static inline size_t fast_prefix(const uint8_t *s, size_t len) FINDS_PREFIX(s, len, 1);
static size_t fast_where_name(const uint8_t *s, size_t len)
	FINDS_PREFIX(s, len, len >= 8 && len <= 48);
/* the walk over a name stopped behind the word where it was rejected, or at the end */
static size_t fast_boundary_name(const uint8_t *s, size_t end, uint32_t before, uint32_t middle)
	__CPROVER_requires(text_len >= 8 && text_len <= 48 && s == text && end >= 1 &&
			   end <= text_len && AT_BOUNDARY(s) && (end == text_len || run[end] == DEAD) &&
			   IS_AT(before, LESS(end, 8)) && run[LESS(end, 8)] != DEAD &&
			   IS_AT(middle, LESS(end, 4)))
	__CPROVER_ensures(IS_PREFIX(0, text_len, __CPROVER_return_value))
	__CPROVER_assigns();
static bool fast_valid_name(const uint8_t *s, size_t len)
	__CPROVER_requires(len >= 8 && len <= 48 && s == text && len == text_len && AT_BOUNDARY(s))
	__CPROVER_ensures(__CPROVER_return_value == (run[len] == TEXT))
	__CPROVER_assigns();

#include "utf8val.c"

/* the automaton's states after each of @len bytes */
static uint8_t after[34];

static void run_over(const uint8_t *s, size_t len, uint8_t state)
{
	size_t i;

	after[0] = state;
	for (i = 0; i < len; i++)
		after[i + 1] = rfc_next(after[i], s[i]);
}

/* how many of @len bytes are before the last of them at which @is */
#define LAST(var, len, is) \
	size_t var = 0, at_##var; \
	for (at_##var = 1; at_##var <= (len); at_##var++) \
		if (is(at_##var)) \
			var = at_##var
#define IS_TEXT(i) (after[i] == TEXT)
#define IS_ALIVE(i) (after[i] != DEAD)

/* From each state, whatever is in the other bits. */
void prove_fast_steps(void)
{
	uint32_t before, ret;
	size_t at;

	any_text(LONGEST);
	__CPROVER_assume(text_len >= 8 && at <= text_len - 8 && IS_AT(before, at));
	know_run(at, 8);
	ret = fast_walk(before, text + at);
	PROVED(fast_alive(ret) == (run[at + 8] != DEAD), "alive");
	PROVED(fast_accepted(ret) == (run[at + 8] == TEXT), "accepted");
	ret = fast_walk_word(before, fast_load8(text + at));
	PROVED(IS_AT(ret, at + 8), "a word");
	REACHED();
}

void prove_fast_passed(void)
{
	uint8_t s[8], state;
	uint32_t before;

	__CPROVER_assume(state <= DEAD && (before & 31) == PLACE(state));
	run_over(s, 8, state);
	LAST(four, 4, IS_ALIVE);
	LAST(eight, 8, IS_ALIVE);
	PROVED(fast_passed4(before, s) == four, "how many of four");
	PROVED(fast_passed_word(before, fast_load8(s)) == eight, "how many of a word");
	REACHED();
}

/* After eight bytes of a run that goes on, and that may have begun inside a character. */
void prove_fast_ends(void)
{
	uint8_t s[8], state;
	uint64_t word = fast_load8(s);

	run_over(s, 8, state);
	__CPROVER_assume(state < DEAD && after[8] != DEAD);
	LAST(boundary, 8, IS_TEXT);
	PROVED(fast_unfinished(word) == 8 - boundary, "the bytes of the last character");
	PROVED((fast_behind(word) & 31) == PLACE(after[8]), "the state after them");
	REACHED();
}

void prove_fast_blank(void)
{
	uint8_t s[8];
	uint64_t word = fast_blank_tails(fast_load8(s));
	size_t tails = 0, i;

	while (tails < 3 && s[tails] >> 6 == 2)
		tails++;
	for (i = 0; i < 8; i++)
		PROVED((uint8_t)(word >> 8 * i) == (i < tails ? 0 : s[i]), "up to three tails");
	REACHED();
}

/* 32 bytes and a name, before which may be any state. */
void prove_fast_ascii(void)
{
	bool is = true;
	uint8_t state;
	size_t i;

	any_text_from(32, state);
	__CPROVER_assume(text_len == 32);
	know_run(0, 16);
	know_run(16, 16);
	for (i = 0; i < 32; i++)
		is = is && text[i] < 0x80;
	PROVED(fast_ascii32(text) == is, "all of them are ASCII");
	REACHED();
}

void prove_fast_ascii_name(void)
{
	uint8_t state;

	any_text_from(FAST_NAME_MAX, state);
	__CPROVER_assume(text_len >= 8);
	know_run(0, 16);
	know_run(16, 16);
	know_run(32, 16);
	fast_ascii_name(text, text_len);
	REACHED();
}

/* The byte before decides whether a tail is due. */
#define BEHIND(byte) ((byte) >= 0xC0 ? TAIL1 : TEXT)
void prove_fast_twos(void)
{
	bool is = true;
	uint8_t state;
	size_t i;

	any_text_from(33, state);
	__CPROVER_assume(text_len == 33 && IS_IN_TWOS(1));
	know_run(0, 16);
	know_run(16, 16);
	know_run(32, 1);
	for (i = 1; i <= 32; i++)
		is = is && run[i + 1] == BEHIND(text[i]);
	PROVED(fast_are_twos(text) == is, "characters of one or two bytes");
	REACHED();
}

/* Characters of so many bytes, which begin with these leads. */
#define PROVE_SHAPE(name, bytes, size, least, most) \
	void prove_fast_##name(void) \
	{ \
		bool is = true; \
		size_t i; \
\
		any_text(LONGEST); \
		__CPROVER_assume(text_len >= (bytes)); \
		know_run(0, 16); \
		know_run(16, (bytes) - 16); \
		for (i = 0; i < (bytes); i += (size)) \
			is = is && RFC_IN(text[i], least, most) && run[i + (size)] == TEXT; \
		PROVED(fast_are_##name(text) == is, "characters of that shape"); \
		REACHED(); \
	}
PROVE_SHAPE(threes, 24, 3, 0xE0, 0xEF)
PROVE_SHAPE(fours, 32, 4, 0xF0, 0xFF)

/* A boundary of a text, from which a run goes on. */
static size_t any_boundary(void)
{
	size_t at;

	any_text(LONGEST);
	mid = SIZE_MAX;
	__CPROVER_assume(at <= text_len && run[at] == TEXT);
	return at;
}

#define PROVE_RUN(name) \
	void prove_fast_run_##name(void) \
	{ \
		size_t at = any_boundary(); \
\
		know_run(at, 1); \
		fast_run_##name(text, at, text_len); \
		REACHED(); \
	}
PROVE_RUN(ascii)
PROVE_RUN(twos)
PROVE_RUN(threes)
PROVE_RUN(fours)

/* Of the bytes that a walk passed two look at the last eight, before which may be any state. */
#define PROVE_PASSED(name, knowing) \
	void prove_fast_##name(void) \
	{ \
		size_t passed; \
		uint8_t state; \
\
		any_text_from(LONGEST, state); \
		__CPROVER_assume(passed <= text_len); \
		knowing; \
		fast_##name(text, passed); \
		REACHED(); \
	}
PROVE_PASSED(boundary, know_run(LESS(passed, 8), 8))
PROVE_PASSED(state, know_run(LESS(passed, 8), 8))
PROVE_PASSED(before_rejected, (know_run(passed, 8), know_dead(passed + 8, any)))

/* The back walk begins at @q, the bytes that it blanks out are before "mid". */
void prove_fast_both(void)
{
	size_t len, walk, q;

	any_text(LONGEST);
	__CPROVER_assume(len >= 16 && len <= text_len);
	walk = fast_half(len);
	q = len - walk;
	mid = q;
	if (IS_TAIL(mid) && ++mid && IS_TAIL(mid) && ++mid && IS_TAIL(mid))
		mid++;
	know_run(q, 8);
	know_dead(q, walk);
	know_dead(mid + 1, walk);
	fast_walk_both(text, len);
	REACHED();
}

void prove_fast_rest(void)
{
	size_t at = any_boundary();

	__CPROVER_assume(text_len >= 32);
	mid = at;
	know_run(text_len - 19, 4);
	know_dead(text_len - 15, at);
	fast_prefix_rest(text, at, text_len);
	REACHED();
}

void prove_fast_line(void)
{
	any_text(LONGEST);
	mid = text_len <= 2 * FAST_NAME_MAX ? FAST_NAME_MAX : SIZE_MAX;
	fast_prefix_line(text, text_len);
	REACHED();
}

void prove_fast_text(void)
{
	any_text(LONGEST);
	fast_prefix_text(text, text_len, NULL);
	REACHED();
}

void prove_fast_tiny(void)
{
	size_t len, i;
	uint8_t *s;

	__CPROVER_assume(len <= FAST_TINY_MAX);
	s = malloc(len);
	__CPROVER_assume(s);
	after[0] = TEXT;
	for (i = 0; i < FAST_TINY_MAX; i++)
		after[i + 1] = i < len ? rfc_next(after[i], s[i]) : DEAD;
	LAST(good, FAST_TINY_MAX, IS_TEXT);
	PROVED(fast_where_tiny(s, len) == good, "the longest prefix");
	PROVED(fast_valid_tiny(s, len) == (good == len), "well-formed");
	REACHED();
}

#define PROVE_NAME(row, function) \
	void prove_fast_name##row(void) \
	{ \
		any_text(FAST_NAME_MAX); \
		know_steps(0, 8); \
		function(text, text_len); \
		REACHED(); \
	}
PROVE_NAME(, fast_valid_name)
PROVE_NAME(_where, fast_where_name)

void prove_fast_name_rejected(void)
{
	size_t end;
	uint32_t before, middle;

	any_text(FAST_NAME_MAX);
	know_run(LESS(end, 12), 12);
	know_dead(end, any);
	fast_boundary_name(text, end, before, middle);
	REACHED();
}

/* All sizes of text: what the library's functions return. */
#define PROVE_ALL(name, result, says, knowing) \
	void prove_fast_##name(void) \
	{ \
		any_text(LONGEST); \
		mid = SIZE_MAX; \
		know_run(0, FAST_TINY_MAX); \
		__CPROVER_assume(knowing); \
		result = utf8val_##name(text, text_len); \
		PROVED(says, "what is returned"); \
		REACHED(); \
	}
PROVE_ALL(prefix, size_t good, IS_PREFIX(0, text_len, good), 1)
PROVE_ALL(valid, bool is, is == (run[text_len] == TEXT), any == text_len)
PROVE_CHECK(prove_fast_check)
