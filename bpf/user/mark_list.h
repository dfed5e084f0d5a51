/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What is marked, and which mounts that is on. */
#ifndef UTF8VAL_GUARD_MARK_LIST_H
#define UTF8VAL_GUARD_MARK_LIST_H

#include "bpf/shared/guard_maps.h"

struct mark {
	struct guard_mark value;
	char *point;	/* a mount's point, or NULL: none in this namespace */
};

/* Returns: how many, or -1 when the map cannot be read. Freed at exit. */
long marks_read(struct mark **marks);
void marks_tell_lost(void);

#endif /* UTF8VAL_GUARD_MARK_LIST_H */
