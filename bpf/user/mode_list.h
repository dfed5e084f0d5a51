/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The list of file systems that have a mode, and where they are mounted. start.c and
 * stop.c call this.
 */
#ifndef UTF8VAL_GUARD_MODE_LIST_H
#define UTF8VAL_GUARD_MODE_LIST_H

#include <stdbool.h>
#include <stdio.h>

#include "bpf/shared/guard_maps.h"

struct mark {
	struct guard_mark value;
	char *point;	/* where it is mounted; NULL: not in this namespace */
};

/*
 * Returns: how many marks there are, or -1 if the map cannot be read. Freed at
 * exit.
 */
long marks_read(struct mark **marks);
void marks_tell_lost(void);

/*
 * Drop the marks that an interruption has left: their superblocks may be gone,
 * and other superblocks may be at their addresses. Returns: false after a
 * complaint.
 */
bool marks_drop_stale(void);

/*
 * Are the maps there? A mark is looked for only if its slot counts one, so both
 * maps must be there, or neither. If not, this has complained.
 */
bool marks_are_there(void);

#endif /* UTF8VAL_GUARD_MODE_LIST_H */
