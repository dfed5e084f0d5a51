/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* One directory of a walk: it is opened, and each entry of it is met. */
#ifndef UTF8VAL_WALK_READ_H
#define UTF8VAL_WALK_READ_H

#include "walk/walk.h"

/* entries read in one call; larger buffers were not faster */
#define WALK_READ_BYTES (64 * 1024)

/* Open a directory, through its parent; -1 when it is not to be read. */
int walk_enter(struct walk *walk, struct walk_dir *dir);

/* Read one to its end; its subdirectories, newest first. */
struct walk_dir *walk_read(struct walk_visit *visit, char *buffer);

/*
 * A root's own name is an entry of the directory above, which is a root of its
 * own, numbered after all that were given: only this one entry of it is met.
 * False when that is all there is.
 */
bool walk_own_name(struct walk *walk, struct walk_dir *root, size_t roots,
		   void **thread_data);

#endif /* UTF8VAL_WALK_READ_H */
