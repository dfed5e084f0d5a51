/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The states of a superblock, and which of them is active. */
#ifndef UTF8VAL_VM_STATE_H
#define UTF8VAL_VM_STATE_H

#include "bpf/shared/modes.h"
#include "fs.h"

#define STATE(id, ...) STATE_##id,
#define STATE_WORD(id, word, ...) \
	[STATE_##id] = #word,
#define STATE_OPTION(id, word, ...) \
	[STATE_##id] = "utf8val=" #word,

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

/*
 * The active state, by what happens to a bad name and by what is shown; -1 if
 * these two differ.
 */
static inline int state_of(const char *where)
{
	struct counts before = read_counts(), after;
	bool audit = shown(where, ",utf8val=audit");
	bool enforce = shown(where, ",utf8val=enforce");
	int created = make_again(text_of("%s/%s", where, BAD));

	after = read_counts();
	if (created == -EILSEQ && enforce && (!guarded() || after.denied > before.denied))
		return STATE_ENFORCE;
	if (!created && audit && (!guarded() || after.bad > before.bad))
		return STATE_AUDIT;
	if (!created && !audit && !enforce && after.bad == before.bad)
		return STATE_OFF;
	return -1;
}

#endif /* UTF8VAL_VM_STATE_H */
