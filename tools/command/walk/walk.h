/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A parallel walk over directory trees. Every step is relative to an open directory, so
 * no path is ever too long and no path is resolved twice. Symbolic links are not followed
 * and file systems not crossed unless the caller says so.
 */
#ifndef UTF8VAL_WALK_H
#define UTF8VAL_WALK_H

#include "walk/visit.h"

/**
 * walk_run() - visit everything under some directories
 * @walk: what to do, and the results
 * @roots: the paths of the directories
 * @count: the number of @roots
 *
 * Returns when everything has been visited, or soon after interrupted was set.
 */
void walk_run(struct walk *walk, char *const *roots, size_t count);

#endif /* UTF8VAL_WALK_H */
