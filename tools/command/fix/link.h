/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Symbolic links whose targets contain names that change. fix.c adds those that a walk
 * meets, rename.c changes them after the names.
 */
#ifndef UTF8VAL_FIX_LINK_H
#define UTF8VAL_FIX_LINK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "fix/request.h"
#include "walk/walk.h"

/* A piece of a target that is such a name. */
struct link_part {
	size_t at, len;
	const struct rename_request *request;
};

struct link {
	struct walk_dir *dir;
	char *name, *target;
	struct link_part *parts;
	size_t count, room;
	const char *left;	/* why it may not be changed, or NULL */

	/* kept while it is being changed */
	char *want;		/* its new target, or NULL */
	char scratch[40];	/* a name in its directory */
	unsigned long long record;
};

struct links {
	pthread_mutex_t lock;
	bool all;	/* well-formed names may change too */
	struct link *items;
	size_t count, room;
};

struct run;

/* Remember a link that a walk has met, if its target may need a change. */
void links_add(struct links *links, struct walk_visit *visit, const char *name);

/*
 * Find out which names that are to be changed the links have in their targets. The
 * directories of such links get their records in the journal while the paths that lead
 * there can still be told.
 */
void links_resolve(struct run *run, struct links *links);

/*
 * Change the links' targets to the new names; also after an interruption, which would
 * leave those links dangling otherwise.
 */
void links_update(struct run *run, struct links *links);

#endif /* UTF8VAL_FIX_LINK_H */
