/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The directories of a walk: their nodes, paths and descriptors. */
#ifndef UTF8VAL_WALK_DIR_H
#define UTF8VAL_WALK_DIR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "walk/identity.h"

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

#endif /* UTF8VAL_WALK_DIR_H */
