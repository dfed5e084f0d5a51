/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Free names: the wanted name, or the wanted name with a number if that is taken.
 * rename_run.c calls this.
 */
#ifndef UTF8VAL_FIX_FREENAME_H
#define UTF8VAL_FIX_FREENAME_H

#include "fix/request.h"

/* numbers that are tried */
#define FREE_NAMES_LIMIT 100000

/* The names that were asked for in one directory. */
struct free_names {
	const struct walk_dir *dir;
	struct strings asked;	/* .value: see freename.c */
};

/* Go to a directory: what has been given away in another one is forgotten. */
void free_names_enter(struct free_names *names, const struct walk_dir *dir);

/*
 * Note that a name in a directory has been given up or, in a dry run, would have been:
 * another file may get the name.
 */
void free_names_vacate(struct free_names *names, const struct walk_dir *dir,
		       const char *name);

/**
 * free_names_find() - find a name that is free
 * @names: of the request's directory, by free_names_enter()
 * @bytes: where the name is kept
 * @dir: the directory, open
 * @request: gets the name and its number
 * @may_shorten: cut what would be too long
 *
 * Where many wish for one name, each goes on from the number that the last one got.
 *
 * Return: 0, or an errno value.
 */
int free_names_find(struct free_names *names, struct arena *bytes, int dir,
		    struct rename_request *request, bool may_shorten);

#endif /* UTF8VAL_FIX_FREENAME_H */
