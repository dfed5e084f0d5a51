/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Names that nothing has: what is wanted or, when it is taken, a number of it. */
#ifndef UTF8VAL_FIX_FREENAME_H
#define UTF8VAL_FIX_FREENAME_H

#include "fix/rename.h"

/* numbers that are tried */
#define FREE_NAMES_LIMIT 100000

/* Names that are taken in one directory: a tree of struct given. */
struct free_names {
	const struct walk_dir *dir;
	void *given;
};

/**
 * free_names_find() - find a name that is free
 * @names: what has been given away so far
 * @dir: the directory of @wrong, open
 * @wrong: gets the name and its number
 * @may_shorten: cut what would be too long
 *
 * Where many wish for one name, each goes on from the number that the last one
 * got.
 *
 * Return: 0, or an errno value.
 */
int free_names_find(struct free_names *names, int dir, struct wrong *wrong,
		    bool may_shorten);

void free_names_forget(struct free_names *names);

#endif /* UTF8VAL_FIX_FREENAME_H */
