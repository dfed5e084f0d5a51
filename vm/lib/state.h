/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The state of a superblock, and finding out which is in force. */
#ifndef UTF8VAL_VM_STATE_H
#define UTF8VAL_VM_STATE_H

#include "fs.h"

#define BAD "a\xFFz"

enum state {
	STATE_UNSET,
	STATE_OFF,
	STATE_AUDIT,
	STATE_ENFORCE,
	STATES
};

static const char *const state_names[STATES] = {
	"unset", "off", "audit", "enforce"
};

static const char *const state_options[STATES] = {
	"", "utf8val=off", "utf8val=audit", "utf8val=enforce"
};

/* The state in force, by what happens and what is shown; -1 if they differ. */
static inline int state_of(const char *where)
{
	struct counts before = read_counts(), after;
	bool audit = shown(where, ",utf8val=audit");
	bool enforce = shown(where, ",utf8val=enforce");
	char path[64];
	int created;

	snprintf(path, sizeof(path), "%s/%s", where, BAD);
	created = do_create(path);
	unlink(path);
	after = read_counts();
	if (created == -EILSEQ && enforce && after.denied > before.denied)
		return STATE_ENFORCE;
	if (!created && audit && after.bad > before.bad)
		return STATE_AUDIT;
	if (!created && !audit && !enforce && after.checked == before.checked)
		return STATE_OFF;
	return -1;
}

#endif /* UTF8VAL_VM_STATE_H */
