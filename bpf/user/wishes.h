/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The modes that the policy file and fstab ask for, compared with those that hold. status.c
 * prints the differences.
 */
#ifndef UTF8VAL_GUARD_WISHES_H
#define UTF8VAL_GUARD_WISHES_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/shared/guard_maps.h"
#include "policy.h"

/* Sentences without a line's end. */
struct sentences {
	char **list;
	size_t count;
};

struct wishes {
	struct guard_seen *list;	/* the superblocks that have a mode, or shall have one */
	long count;			/* how many; -1: that is not known */
	enum guard_mode *asked;		/* what each of them shall have; GUARD_UNSET: nothing */
	struct sentences differences, unmatched;
};

/* Add each line of the policy that names nothing which is mounted, as @list has it. */
void find_unmatched(struct sentences *unmatched, const struct policy *policy,
		    const struct guard_seen *list, long count);

/* Read all of it. @built_in: the modes are the kernel's own. The lists stay in memory. */
void wishes_read(struct wishes *wishes, bool built_in);

#endif /* UTF8VAL_GUARD_WISHES_H */
