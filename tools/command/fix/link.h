/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Symbolic links whose targets have names in them that are being changed. */
#ifndef UTF8VAL_FIX_LINK_H
#define UTF8VAL_FIX_LINK_H

#include <pthread.h>

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

/* Remember a link that a walk has met, if its target may need a change. */
void links_add(struct links *links, struct walk_visit *visit, const char *name);

/* Sort links, so that one that was met in several ways (bind mounts) has neighbours. */
void links_sort(struct links *links);

/* Are these one link, met in two ways? */
bool link_same(const struct link *a, const struct link *b);

/**
 * link_resolve() - find the names in a target that are to be changed
 * @link: its parts are filled in
 * @dir: the link's directory, open
 * @requests: what is to be changed, sorted
 *
 * While all names are still what they were; whether one has been changed is
 * asked by link_target().
 */
void link_resolve(struct link *link, int dir, const struct requests *requests);

/* The target with its changed names, to be freed; NULL when the target stays as it is. */
char *link_target(const struct link *link);

#endif /* UTF8VAL_FIX_LINK_H */
