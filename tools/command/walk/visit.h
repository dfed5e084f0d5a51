/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The options of a walk, and the arguments of its callbacks. Every file of this
 * directory that helps walk.c, and every user of a walk, includes this.
 */
#ifndef UTF8VAL_WALK_VISIT_H
#define UTF8VAL_WALK_VISIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "walk/dir.h"

/* One directory while one thread reads it. */
struct walk_visit {
	struct walk *walk;
	struct walk_dir *dir;
	int fd;
	void *thread_data;		/* the caller's, one a thread, NULL at first */
};

/* The most threads that can be asked for, which is more than any disk needs. */
#define WALK_THREADS 1024

struct walk {
	/* Set by the caller before walk_run(). */
	unsigned int threads;		/* 0: as many as suit the machine */
	bool follow;			/* also symbolic links to directories */
	bool cross;			/* into other file systems */
	bool own_names;			/* visit a root's own name as an entry;
					 * the root need not be a directory
					 */
	bool straight;			/* to the roots through no symbolic link */
	bool keep_roots;		/* open until their nodes are freed */
	bool limited;			/* .max_depth is set */
	unsigned int max_depth;		/* of entries; a root's own name has 0 */
	const char **excludes;		/* globs of entries not to be visited */
	size_t exclude_count, exclude_room;
	/* Called for each entry, in no order; type is DT_*, name[len] is NUL. */
	void (*entry)(struct walk_visit *visit, const char *name, size_t len,
		      unsigned char type);
	/* Called when a directory has been read to its end; may be NULL. */
	void (*leave)(struct walk_visit *visit);
	/* Called when a thread ends; may be NULL. */
	void (*thread_end)(void *thread_data);
	/* Called about five times a second from the main thread; may be NULL. */
	void (*tick)(struct walk *walk);
	void *data;			/* the caller's */

	/* The results, which walk_run() keeps. */
	atomic_ullong entries;
	atomic_ullong troubles;		/* each has been complained about */
};

/* Complain of what a walk could not read, and add one to its troubles. */
static inline void walk_trouble(struct walk *walk, const struct walk_dir *dir,
				const char *name, int error)
{
	atomic_fetch_add(&walk->troubles, 1);
	walk_complain(dir, name, identity_error(error));
}

#endif /* UTF8VAL_WALK_VISIT_H */
