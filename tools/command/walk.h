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

#include "text.h"

/*
 * A directory that the walk has met. Its name is that of one component, or for
 * a root the path it was given as; the chain of parents makes the whole path.
 */
struct walk_dir {
	struct walk_dir *parent;
	struct walk_dir *next;		/* in the list of those to be read */
	size_t root;			/* index of its root */
	unsigned int depth;		/* 0 for a root */
	atomic_uint refs;
	atomic_uint unopened;		/* subdirectories that will need fd */
	int fd;				/* -1 when not kept open */
	uint32_t dev_major, dev_minor;
	uint64_t ino;
	size_t len;
	char name[];
};

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
	/* one entry, in no order; type is DT_*, name[len] is NUL */
	void (*entry)(struct walk_visit *visit, const char *name, size_t len,
		      unsigned char type);
	/* the directory has been read to its end; may be NULL */
	void (*leave)(struct walk_visit *visit);
	/* a thread ends; may be NULL */
	void (*thread_end)(void *thread_data);
	/* called about five times a second from the main thread; may be NULL */
	void (*tick)(struct walk *walk);
	int *root_fds;			/* to stay open, -1: was not; or NULL */
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

/* How directories are opened; with O_NOFOLLOW unless links are meant. */
#define WALK_OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)

/* A new node with one reference; parent is NULL for a root. */
struct walk_dir *walk_new(struct walk_dir *parent, const char *name,
			  size_t len);

/* Keep a directory's node, not its descriptor, beyond its visit. */
struct walk_dir *walk_ref(struct walk_dir *dir);
void walk_unref(struct walk_dir *dir);

/*
 * Add the path of an entry (or, with NULL, of the directory itself), starting
 * with the root's path as it was given, to an empty text.
 */
void walk_path(struct text *path, const struct walk_dir *dir, const char *name,
	       size_t len);

/* Add a directory's path from its root; "." for the root itself. */
void walk_relative_path(struct text *path, const struct walk_dir *dir);

/* Report an error and count it. */
void walk_trouble(struct walk *walk, const struct walk_dir *dir,
		  const char *name, size_t len, int error);

/**
 * walk_open() - open a directory of the walk again
 * @dir: which
 * @root_fd: its root, open
 * @follow: also through symbolic links
 *
 * Return: a new descriptor, or -1 with errno.
 */
int walk_open(const struct walk_dir *dir, int root_fd, bool follow);

#endif /* UTF8VAL_WALK_H */
