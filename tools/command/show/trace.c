// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val trace: prints the automaton's states, byte by byte. main.c calls it. */
#include "base/commands.h"

#include <stdio.h>
#include <string.h>

#include "base/option.h"
#include "base/text.h"
#include "show/input.h"
#include "utf8val.h"

/*
 * Room for the states of an engine. The minimal automaton has nine states; an
 * engine may have as many as there are lead bytes.
 */
#define MAX_STATES 128

/*
 * The automaton that the core walks, found by trying every byte in every state, whatever
 * numbers the engine gives its states. The output therefore shows what the core does.
 */
struct automaton {
	uint32_t states[MAX_STATES];
	unsigned int count;	/* without the reject state, MAX_STATES */
	unsigned char to[MAX_STATES][256];	/* index of the next state */
	/* states of one group accept the same sequences */
	unsigned char group[MAX_STATES + 1];
};

static uint32_t next(uint32_t state, unsigned int byte)
{
	struct utf8val_dfa dfa = { state };
	uint32_t cp = 0;

	return utf8val_step(&dfa, &cp, (uint8_t)byte);
}

static unsigned int find_state(struct automaton *automaton, uint32_t state)
{
	unsigned int i = 0;

	while (i < automaton->count && automaton->states[i] != state)
		i++;
	if (i == automaton->count && i < MAX_STATES)
		automaton->states[automaton->count++] = state;
	return i;
}

static bool same_state(const struct automaton *automaton, unsigned int a, unsigned int b)
{
	if (automaton->group[a] != automaton->group[b])
		return false;
	for (unsigned int byte = 0; byte < 256; byte++) {
		if (automaton->group[automaton->to[a][byte]] !=
		    automaton->group[automaton->to[b][byte]])
			return false;
	}
	return true;
}

/* Give states that no input tells apart the same group (E. F. Moore, 1956). */
static void minimise(struct automaton *automaton)
{
	unsigned int groups = 2, before;
	unsigned char refined[MAX_STATES];

	/*
	 * To begin with, the start state accepts, the reject state never will,
	 * and the others are one group.
	 */
	for (unsigned int i = 0; i < automaton->count; i++)
		automaton->group[i] = i > 0;
	automaton->group[MAX_STATES] = 2;
	do {
		before = groups;
		groups = 0;
		for (unsigned int i = 0; i < automaton->count; i++) {
			unsigned int k = 0;

			while (k < i && !same_state(automaton, i, k))
				k++;
			refined[i] = k < i ? refined[k] : (unsigned char)groups++;
		}
		memcpy(automaton->group, refined, automaton->count);
		automaton->group[MAX_STATES] = (unsigned char)groups;
	} while (groups != before);
}

static void explore(struct automaton *automaton)
{
	automaton->count = 0;
	find_state(automaton, UTF8VAL_ACCEPT);
	for (unsigned int i = 0; i < automaton->count; i++) {
		for (unsigned int byte = 0; byte < 256; byte++) {
			uint32_t to = next(automaton->states[i], byte);

			automaton->to[i][byte] = (unsigned char)(
				to == UTF8VAL_REJECT ?
					MAX_STATES :
					find_state(automaton, to));
		}
	}
	minimise(automaton);
}

static bool same_class(const struct automaton *automaton, unsigned int a, unsigned int b)
{
	for (unsigned int i = 0; i < automaton->count; i++) {
		if (automaton->group[automaton->to[i][a]] !=
		    automaton->group[automaton->to[i][b]])
			return false;
	}
	return true;
}

/*
 * Print the class of a byte: the bytes around it that lead to the same groups
 * in every state.
 */
static void print_class(struct text *line, const struct automaton *automaton,
			unsigned int byte)
{
	unsigned int low = byte, high = byte;

	while (low > 0 && same_class(automaton, low - 1, byte))
		low--;
	while (high < 255 && same_class(automaton, high + 1, byte))
		high++;
	if (low == high)
		text_printf(line, "%02X      ", low);
	else
		text_printf(line, "%02X..%02X  ", low, high);
}

/* "start", "reject", or "2 tails due, A0..BF next" */
static void print_state(struct text *line, uint32_t state)
{
	unsigned int low = 0, high, tails = 0;
	char name[32];

	if (state == UTF8VAL_ACCEPT || state == UTF8VAL_REJECT) {
		text_printf(line, "%-26s", state == UTF8VAL_ACCEPT ? "start" : "reject");
		return;
	}
	while (low < 255 && next(state, low) == UTF8VAL_REJECT)
		low++;
	for (high = low; high < 255; high++) {
		if (next(state, high + 1) == UTF8VAL_REJECT)
			break;
	}
	/*
	 * A sequence has three tails at most; 90 is a good tail in every place
	 * but the first.
	 */
	for (unsigned int byte = low; tails < 4 && state != UTF8VAL_ACCEPT;
	     byte = 0x90, tails++)
		state = next(state, byte);
	snprintf(name, sizeof(name), "%u tail%s due, %02X..%02X next", tails,
		 tails == 1 ? "" : "s", low, high);
	text_printf(line, "%-26s", name);
}

static void print_step(const struct automaton *automaton, size_t at,
		       uint8_t byte, uint32_t before, uint32_t after,
		       uint32_t cp)
{
	const struct colours *c = colours();
	text_auto line = { 0 };

	text_printf(&line, "%6zu  %02X    ", at, byte);
	print_class(&line, automaton, byte);
	print_state(&line, before);
	text_puts(&line, after == UTF8VAL_REJECT ? c->bad : "");
	if (after == UTF8VAL_ACCEPT)
		text_printf(&line, "%s%-26s%s", c->good, "accept", c->off);
	else
		print_state(&line, after);
	text_puts(&line, after == UTF8VAL_REJECT ? c->off : "");
	if (after == UTF8VAL_ACCEPT)
		text_printf(&line, "U+%04X", cp);
	else if (after != UTF8VAL_REJECT)
		text_printf(&line, "0x%X", cp);
	else
		text_puts(&line, "-");
	text_puts(&line, "\n");
	text_emit(&line);
}

static void print_error(const uint8_t *sequence, size_t len, size_t at,
			enum utf8val_reason reason, bool again)
{
	const struct colours *c = colours();
	text_auto line = { 0 };

	text_printf(&line, "        %s%s%s: ", c->bad,
		    utf8val_reason_name(reason), c->off);
	text_hex(&line, sequence, len, ' ');
	text_printf(&line, " at byte %zu, worth one U+FFFD%s\n", at,
		    again ? "; the byte that broke it is read again" : "");
	text_emit(&line);
}

/* Trace one sequence: a character, or a maximal subpart and the byte that ended it. */
static const uint8_t *trace_sequence(const struct automaton *automaton,
				 const uint8_t *bytes, const uint8_t *pos,
				 const uint8_t *end, bool *bad)
{
	struct utf8val_dfa dfa = { UTF8VAL_ACCEPT };
	uint32_t cp = 0;
	const uint8_t *sequence = pos;
	const uint8_t *rejected = NULL;
	enum utf8val_reason reason = utf8val_next(&pos, end, &cp);

	for (const uint8_t *byte = sequence; byte < end; byte++) {
		uint32_t before = dfa.state;

		utf8val_step(&dfa, &cp, *byte);
		print_step(automaton, (size_t)(byte - bytes), *byte, before,
			   dfa.state, cp);
		if (dfa.state == UTF8VAL_REJECT)
			rejected = byte;
		if (dfa.state == UTF8VAL_ACCEPT || rejected)
			break;
	}
	if (reason != UTF8VAL_OK) {
		*bad = true;
		print_error(sequence, (size_t)(pos - sequence),
			    (size_t)(sequence - bytes), reason, rejected == pos);
	}
	return pos;
}

int trace_main(int argc, char **argv)
{
	unsigned int how = INPUT_AUTO;
	const struct command_option options[] = {
		INPUT_OPTIONS(&how),
		{ 0 },
	};
	const struct usage usage = {
		.operands = "[BYTES...|-]",
		.does = "Show the automaton at work: each byte, its class (the "
			"bytes that are treated like it), the state before and "
			"after, the code point so far. BYTES are pairs of "
			"hexadecimal digits (E4 B8 96, \\xE4\\xB8\\x96) or else "
			"text; - is standard input.",
		.statuses = "0 if the bytes are well-formed UTF-8, 1 if not, 2 "
			    "on errors.",
		.options = options,
	};
	char **operands = argv + options_parse(argc, argv, &usage);
	struct automaton automaton;
	text_auto bytes = { 0 };
	const uint8_t *pos, *end;
	bool bad = false;

	if (!input_get(how, operands, &bytes))
		return STATUS_TROUBLE;
	explore(&automaton);
	printf("%6s  %-4s  %-6s  %-26s%-26s%s\n", "offset", "byte", "class",
	       "state before", "state after", "code point");
	pos = (const uint8_t *)bytes.bytes;
	end = pos + bytes.len;
	while (pos < end)
		pos = trace_sequence(&automaton, (const uint8_t *)bytes.bytes, pos,
				 end, &bad);
	return bad ? STATUS_BAD : STATUS_GOOD;
}
