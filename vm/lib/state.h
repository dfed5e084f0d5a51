/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The modes of a superblock, and the present one. The tests of modes call this. */
#ifndef UTF8VAL_VM_STATE_H
#define UTF8VAL_VM_STATE_H

#include "bpf/shared/modes.h"
#include "fs.h"

#define STATE(id, ...) STATE_##id,
#define STATE_WORD(id, word, ...) \
	[STATE_##id] = #word,
#define STATE_OPTION(id, word, ...) \
	[STATE_##id] = "utf8val=" #word,
#define STATE_ANSWER(id, word, reported, refused) \
	[STATE_##id] = { reported, refused },

enum state {
	STATE_UNSET,
	UTF8VAL_MODE_LIST(STATE, STATE)
	STATES
};

static const char *const state_names[STATES] = {
	"unset", UTF8VAL_MODE_LIST(STATE_WORD, STATE_WORD)
};

static const char *const state_options[STATES] = {
	"", UTF8VAL_MODE_LIST(STATE_OPTION, STATE_OPTION)
};

/* Are bad names reported in each state, and are they refused? */
static const struct {
	bool reported, refused;
} state_answers[STATES] = {
	UTF8VAL_MODE_LIST(STATE_ANSWER, STATE_ANSWER)
};

/*
 * The active state, by what happens to a bad name and by what is shown; -1 if
 * these two differ.
 */
static inline int state_of(const char *where)
{
	struct counts before = read_counts(), after;
	int state = STATE_OFF, want, created;
	bool reported, refused;

	/* A state in which nothing is reported is not shown either. */
	for (int each = STATE_OFF; each < STATES; each++)
		if (state_answers[each].reported &&
		    shown(where, text_of(",%s", state_options[each])))
			state = each;
	want = state_answers[state].refused ? -EILSEQ : 0;
	created = make_again(text_of("%s/%s", where, BAD));
	after = read_counts();
	reported = after.bad > before.bad;
	refused = after.denied > before.denied;
	if (created != want ||
	    (guarded() && (reported != state_answers[state].reported ||
			   refused != state_answers[state].refused)))
		return -1;
	return state;
}

#endif /* UTF8VAL_VM_STATE_H */
