/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Locks by which only one run at a time renames in a tree. fix and undo take them. */
#ifndef UTF8VAL_WALK_LOCK_H
#define UTF8VAL_WALK_LOCK_H

#include <stdbool.h>
#include <stddef.h>

/**
 * lock_trees() - keep other runs out of some trees, until the program ends
 * @paths: their roots; a path that is no directory stands for the one it is in
 * @count: how many
 *
 * Each root is locked by flock(2) for this run alone. Each directory above a root is
 * locked so that it cannot become another run's root. A run that comes second does not
 * wait. A directory that cannot be opened or locked, for example on NFS, has no lock.
 *
 * Return: false with a message when another run has one of the trees, a part of one, or
 * a tree that contains one.
 */
bool lock_trees(const char *const *paths, size_t count);

#endif /* UTF8VAL_WALK_LOCK_H */
