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

struct wishes {
	struct guard_seen *list;	/* the superblocks that have a mode, or shall have one */
	long count;			/* how many; -1: that is not known */
	enum guard_mode *asked;		/* what each of them shall have; GUARD_UNSET: nothing */
	char **differences;		/* a sentence for each, without a line's end */
	size_t number;			/* how many differences */
	char **unmatched;		/* a sentence for each line that names nothing mounted */
	size_t unmatched_number;
};

/* Read all of it. @built_in: the modes are the kernel's own. The lists stay in memory. */
void wishes_read(struct wishes *wishes, bool built_in);

#endif /* UTF8VAL_GUARD_WISHES_H */
