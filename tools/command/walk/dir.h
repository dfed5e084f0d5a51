/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The directories of a walk: their nodes, paths and descriptors. walk.c and read.c make
 * them; all users of a walk print their paths.
 */
#ifndef UTF8VAL_WALK_DIR_H
#define UTF8VAL_WALK_DIR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "walk/identity.h"

/*
 * A directory that the walk has met. The name of a root is the path that was given for
 * the root, every other name is one component. The chain of parents therefore makes the
 * whole path.
 */
struct walk_dir {
	struct walk_dir *parent;
	struct walk_dir *jump;		/* an ancestor far up; see walk_above() */
	struct walk_dir *next;		/* in the list of directories to read */
	size_t root;			/* index of its root */
	unsigned int depth;		/* 0 for a root */
	atomic_uint refs;
	atomic_uint unopened;		/* subdirectories that will need .fd */
	int fd;				/* -1 when the directory is not open */
	struct identity id;
	const char *alias;		/* a name it may have by now, or NULL */
	unsigned long long record;	/* its number in a journal, or 0 */
	uint64_t app_markers;		/* see walk/app_data.h */
	unsigned char app_data;		/* see there; 0: not known yet */
	size_t len;
	char name[];
};

/* Added to .root of a root's own name's directory, which comes after all roots. */
#define WALK_OWN_NAME (SIZE_MAX / 2 + 1)

/* How directories are opened; with O_NOFOLLOW unless links are meant. */
#define WALK_OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)

/* A new node with one reference; parent is NULL for a root. */
struct walk_dir *walk_new(struct walk_dir *parent, const char *name, size_t len);

/*
 * Keep a directory's node beyond the visit of the directory. The descriptor is
 * not kept, except a root's, which is closed with the node.
 */
struct walk_dir *walk_ref(struct walk_dir *dir);
void walk_unref(struct walk_dir *dir);

/*
 * Add the path of an entry of a directory to an empty text, or with a name of NULL the
 * path of the directory itself. The path begins with the root's path as that was given.
 */
void walk_path(struct text *path, const struct walk_dir *dir, const char *name,
	       size_t len);

/*
 * Add a path as it compares with others: absolute, or from "./", with single slashes and
 * one at its end. "." is no component of it. A NUL follows, which is not counted.
 */
void walk_plain_path(struct text *plain, const char *path);

/* Add a directory's path from its root; nothing for the root itself. */
void walk_relative_path(struct text *path, const struct walk_dir *dir);

/* Complain of a name in a directory or, where name is NULL, of the directory itself. */
void walk_complain(const struct walk_dir *dir, const char *name, const char *message);

/* The ancestor of a directory at a depth, which is at most that of the directory. */
const struct walk_dir *walk_above(const struct walk_dir *dir, unsigned int depth);

/* The deepest directory that holds two directories of one root, or is one of the two. */
const struct walk_dir *walk_common(const struct walk_dir *a, const struct walk_dir *b);

/*
 * An order, as strcmp() returns it. Every directory comes after the directories below
 * it. Roots are in the order in which they were given, and neighbours in the order of
 * their names.
 */
int walk_compare(const struct walk_dir *a, const struct walk_dir *b);

/* Open a path through no symbolic link at all, as walk_open_root() opens a root. */
int walk_open_straight(const char *path);

/**
 * walk_open_root() - open a walk's root, or open it again
 * @root: of depth 0
 *
 * Return: a descriptor, which the caller may use only to find what lies below. -1 with
 * errno when the root cannot be opened, ESTALE when another directory has its place.
 */
int walk_open_root(const struct walk_dir *root);

/**
 * walk_step() - open a directory below an open one
 * @fd: the parent, open
 * @dir: the directory; looked for by its name, then by its alias
 * @follow: also through a symbolic link
 *
 * Return: as walk_open_root().
 */
int walk_step(int fd, const struct walk_dir *dir, bool follow);

/**
 * walk_open() - open a directory of the walk again
 * @dir: the directory
 * @follow: also through symbolic links
 *
 * Return: as walk_open_root().
 */
int walk_open(const struct walk_dir *dir, bool follow);

#endif /* UTF8VAL_WALK_DIR_H */
