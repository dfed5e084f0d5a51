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

#include "identity.h"
#include "text.h"

/*
 * A directory that the walk has met. Its name is that of one component, or for
 * a root the path it was given as; the chain of parents makes the whole path.
 */
struct walk_dir {
	struct walk_dir *parent;
	struct walk_dir *jump;		/* an ancestor far up; see walk_above() */
	struct walk_dir *next;		/* in the list of those to be read */
	size_t root;			/* index of its root */
	unsigned int depth;		/* 0 for a root */
	atomic_uint refs;
	atomic_uint unopened;		/* subdirectories that will need fd */
	int fd;				/* -1 when not kept open */
	struct identity id;
	const char *alias;		/* what it may be called now, or NULL */
	unsigned long long record;	/* its number in a journal, or 0 */
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

/* How directories are opened; with O_NOFOLLOW unless links are meant. */
#define WALK_OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)

/* A new node with one reference; parent is NULL for a root. */
struct walk_dir *walk_new(struct walk_dir *parent, const char *name,
			  size_t len);

/* Keep a directory's node, not its descriptor, beyond its visit. A root's
 * descriptor is closed with its node.
 */
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

/* The ancestor at that depth, which is at most its own. */
const struct walk_dir *walk_above(const struct walk_dir *dir,
				  unsigned int depth);

/* The deepest directory that two of one root lie in, or that one is. */
const struct walk_dir *walk_common(const struct walk_dir *a,
				   const struct walk_dir *b);

/*
 * An order in which every directory comes after those below it, roots in turn
 * and neighbours by their names: as strcmp() tells it.
 */
int walk_compare(const struct walk_dir *a, const struct walk_dir *b);

/* Is this entry one that walk.excludes names? */
bool walk_excludes(const struct walk *walk, const struct walk_dir *dir,
		   const char *name, size_t len);

/* Rows of a table of options: what is visited, in what way. */
const char *walk_take_exclude(void *data, const char *glob);
const char *walk_take_depth(void *data, const char *depth);
#define WALK_OPTION_EXCLUDE(walk) \
	{ 0, "exclude", "GLOB", \
	  "Skip entries with such a name or, with a slash in it, such a path " \
	  "from the start of the walk, and all below; can be repeated", \
	  .repeats = true, .take = walk_take_exclude, .data = (walk) }
#define WALK_OPTION_DEPTH(walk) \
	{ 0, "max-depth", "N", \
	  "Descend N levels at most; 0: only what is named", \
	  .take = walk_take_depth, .data = (walk) }
#define WALK_OPTION_FILES(list) \
	{ 0, "files0-from", "FILE", \
	  "Read the paths, each terminated by NUL, from this file; -: " \
	  "from standard input", \
	  .string = (list) }

/* Report an error and count it. */
void walk_trouble(struct walk *walk, const struct walk_dir *dir,
		  const char *name, size_t len, int error);

/**
 * walk_open_root() - open a walk's root, again if need be
 * @root: of depth 0
 *
 * Return: a descriptor that may be good for nothing but finding what is below;
 * -1 with errno when it cannot be opened, ESTALE when it is not what it was.
 */
int walk_open_root(const struct walk_dir *root);

/**
 * walk_step() - open a directory below an open one
 * @fd: its parent
 * @dir: which; by its name or, if that is another's now, its alias
 * @follow: also through a symbolic link
 *
 * Return: as walk_open_root().
 */
int walk_step(int fd, const struct walk_dir *dir, bool follow);

/**
 * walk_open() - open a directory of the walk again
 * @dir: which
 * @follow: also through symbolic links
 *
 * Return: as walk_open_root().
 */
int walk_open(const struct walk_dir *dir, bool follow);

#endif /* UTF8VAL_WALK_H */
