/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A parallel walk over directory trees. Every step is relative to an open
 * directory, so no path is ever too long and none is resolved twice; symbolic
 * links are not followed and file systems not crossed unless told.
 */
#ifndef UTF8VAL_WALK_H
#define UTF8VAL_WALK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "walk/dir.h"

/* One directory being read, by one thread. */
struct walk_visit {
	struct walk *walk;
	struct walk_dir *dir;
	int fd;
	void *data;			/* the caller's, NULL at first */
	void *thread_data;		/* the caller's, one a thread */
};

/* more at a time than any disk needs */
#define WALK_THREADS 1024

struct walk {
	/* what to do; set by the caller */
	unsigned int threads;		/* 0: as many as suit the machine */
	bool follow;			/* symbolic links to directories too */
	bool cross;			/* into other file systems */
	bool own_names;			/* a root is an entry too, and may be
					 * something else than a directory
					 */
	bool keep_roots;		/* open, as long as they have a node */
	bool limited;			/* max_depth counts */
	unsigned int max_depth;		/* of entries; a root's own name is 0 */
	const char **excludes;		/* entries not to be visited: globs */
	size_t exclude_count;
	/* one entry, in no order; type is DT_*, name[len] is NUL */
	void (*entry)(struct walk_visit *visit, const char *name, size_t len,
		      unsigned char type);
	/* the directory has been read to its end; may be NULL */
	void (*leave)(struct walk_visit *visit);
	/* a thread ends; may be NULL */
	void (*thread_end)(void *thread_data);
	/* called about five times a second from the main thread; may be NULL */
	void (*tick)(struct walk *walk);
	void *data;			/* the caller's */

	/* what came of it; kept by walk_run() */
	atomic_ullong entries;
	atomic_ullong dirs;
	atomic_ullong troubles;		/* each has been complained about */
};

/**
 * walk_run() - visit everything under some directories
 * @walk: what to do
 * @roots: their paths
 * @count: how many
 *
 * Returns when all has been visited, or soon after interrupted was set.
 */
void walk_run(struct walk *walk, char *const *roots, size_t count);

#endif /* UTF8VAL_WALK_H */
