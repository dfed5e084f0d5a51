/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The modes that the policy file and fstab request, and how they differ from the modes that
 * the file systems have. status.c prints the differences, apply.c the lines that match
 * nothing.
 */
#ifndef UTF8VAL_GUARD_REQUESTED_H
#define UTF8VAL_GUARD_REQUESTED_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/shared/guard_maps.h"
#include "policy.h"

/* Sentences without a line's end. */
struct sentences {
	char **list;
	size_t count;
};

struct requested {
	struct guard_seen *list;	/* the superblocks with a mode or a request for one */
	long count;			/* how many; -1: unknown */
	enum guard_mode *asked;		/* the mode requested for each; GUARD_UNSET: none */
	struct sentences differences, unmatched;
};

/* Add each line of the policy that names nothing which is mounted, as @list has it. */
void find_unmatched(struct sentences *unmatched, const struct policy *policy,
		    const struct guard_seen *list, long count);

/* Read and compare. @built_in: the modes are the kernel's own. The lists stay in memory. */
void requested_read(struct requested *requested, bool built_in);

#endif /* UTF8VAL_GUARD_REQUESTED_H */
