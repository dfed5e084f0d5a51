/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Opening one directory of a walk and visiting each of its entries. walk.c calls this. */
#ifndef UTF8VAL_WALK_READ_H
#define UTF8VAL_WALK_READ_H

#include "walk/visit.h"

/* Bytes of entries read by one system call; larger buffers were not faster. */
#define WALK_READ_BYTES (64 * 1024)

/* Open a directory through its parent; -1 when the walk does not read this directory. */
int walk_enter(struct walk *walk, struct walk_dir *dir);

/*
 * Read an open directory to its end. Returns the list of its subdirectories,
 * the newest first.
 */
struct walk_dir *walk_read(struct walk_visit *visit, char *buffer);

/*
 * Visit a root's own name, which is an entry of the directory above. The directory
 * becomes a separate root, numbered by WALK_OWN_NAME after all the given roots, and no
 * other entry of it is visited. False when nothing else is to be visited, because the
 * root is no directory.
 */
bool walk_own_name(struct walk *walk, struct walk_dir *root, void **thread_data);

#endif /* UTF8VAL_WALK_READ_H */
