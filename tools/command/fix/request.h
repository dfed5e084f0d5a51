/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The requests of a fix: the names to change, each with its new name. choose.c adds
 * them, rename.c and link.c look them up.
 */
#ifndef UTF8VAL_FIX_REQUEST_H
#define UTF8VAL_FIX_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strings.h"
#include "walk/walk.h"

/* One name that is to be changed. There may be millions, so the struct is kept small. */
struct rename_request {
	struct walk_dir *dir;
	const char *old;	/* the name as it is */
	const char *want;	/* the name that is wanted; NULL: it is left */
	const char *how;	/* "ISO-8859-1", "escaped", ...; or why not */
	const char *name;	/* what it is to be called: as wanted, or numbered */
	/* 0: not carried out yet; 1: as wanted; n: the n-th of that name */
	unsigned int number;
	unsigned char sure;	/* enum guess_sure of .how, or REQUEST_NO_GUESS */
	bool done;		/* renamed; in a dry run: would be */
};

#define REQUEST_NO_GUESS 0xFF

struct requests {
	struct rename_request *items;
	size_t count, room;
	struct arena bytes;		/* of new names */
	/* made by requests_sort(): one for each file, by directory and old name */
	struct rename_request **files;
	size_t file_count;
};

/*
 * Have them in the order in which they are carried out: those of a directory after
 * those below it, by their names. If a file was met more than once, for example through
 * bind mounts, only the first request stays.
 */
void requests_sort(struct requests *requests);

/* The request for a name in a directory, or NULL; after requests_sort(). */
struct rename_request *requests_find(const struct requests *requests,
				     const struct identity *dir,
				     const char *name);

#endif /* UTF8VAL_FIX_REQUEST_H */
