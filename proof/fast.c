/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fast engine's steps: what each says of the block of bytes that it takes at once, and
 * the size classes of tiny input and of names whole.
 */
#include "prover.h"
#include "loops.h"
#include "engine/engine.h"

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
	uint8_t s[8], state;
	uint32_t before, ret;

	__CPROVER_assume(state <= DEAD && (before & 31) == PLACE(state));
	run_over(s, 8, state);
	ret = fast_walk(before, s);
	PROVED((ret & 31) == PLACE(after[8]), "eight bytes");
	PROVED(fast_alive(ret) == (after[8] != DEAD), "alive");
	PROVED(fast_accepted(ret) == (after[8] == TEXT), "accepted");
	ret = fast_walk_word(before, fast_load8(s));
	PROVED((ret & 31) == PLACE(after[8]), "a word");
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

void prove_fast_ascii(void)
{
	uint8_t s[32];
	bool is = true;
	size_t i;

	for (i = 0; i < 32; i++)
		is = is && s[i] < 0x80;
	PROVED(fast_ascii32(s) == is, "all of them are ASCII");
	/* a name is, if each byte is */
	any_text(FAST_NAME_MAX);
	__CPROVER_assume(text_len >= 8 && any < text_len);
	PROVED(!fast_ascii_name(text, text_len) || text[any] < 0x80, "each byte is ASCII");
	REACHED();
}

/* The byte before decides whether a tail is due. */
#define BEHIND(byte) ((byte) >= 0xC0 ? TAIL1 : TEXT)
void prove_fast_twos(void)
{
	uint8_t s[33];
	bool is = true;
	size_t i;

	run_over(s + 1, 32, BEHIND(s[0]));
	for (i = 1; i <= 32; i++)
		is = is && after[i] == BEHIND(s[i]);
	PROVED(fast_are_twos(s) == is, "characters of one or two bytes");
	REACHED();
}

void prove_fast_threes(void)
{
	uint8_t s[24];
	bool is = true;
	size_t i;

	run_over(s, 24, TEXT);
	for (i = 0; i < 24; i += 3)
		is = is && s[i] >= 0xE0 && s[i] < 0xF0 && after[i + 3] == TEXT;
	PROVED(fast_are_threes(s) == is, "characters of three bytes");
	REACHED();
}

void prove_fast_fours(void)
{
	uint8_t s[32];
	bool is = true;
	size_t i;

	run_over(s, 32, TEXT);
	for (i = 0; i < 32; i += 4)
		is = is && s[i] >= 0xF0 && after[i + 4] == TEXT;
	PROVED(fast_are_fours(s) == is, "characters of four bytes");
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

void prove_fast_name(void)
{
	any_text(FAST_NAME_MAX);
	__CPROVER_assume(text_len >= 8);
	know_steps(0, 8);
	PROVED(fast_valid_name(text, text_len) == (run[text_len] == TEXT), "well-formed");
	REACHED();
}
