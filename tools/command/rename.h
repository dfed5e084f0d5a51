/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The second half of a fix: from names that are wanted to names that are. */
#ifndef UTF8VAL_RENAME_H
#define UTF8VAL_RENAME_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"
#include "walk.h"

/* Where a walk began. */
struct rename_root {
	char *path;	/* absolute, for the journal */
	int fd;		/* open since the walk: nothing can take its place */
};

/* One ill-formed name. */
struct wrong {
	struct walk_dir *dir;
	char *old;
	size_t old_len;
	char *want;		/* NULL: it is left as it is */
	size_t want_len;
	const char *how;	/* "ISO-8859-1", "escaped", ...; or why not */
	const char *sure;	/* "likely", ...; NULL when not a guess */

	/* kept while it is being renamed */
	unsigned int number;	/* 1: as wanted; n: the n-th of that name */
	char *name;		/* what it is to be called */
	unsigned long long record;
	int error;
};

struct renamer {
	/* what to do; set by the caller */
	bool apply;
	bool shorten;
	bool quiet;
	unsigned int output;		/* enum output */
	unsigned int batch;		/* names per synchronised journal */
	const char *journal;		/* its path; NULL: the usual one */

	/* what came of it */
	unsigned long long renamed, left, troubles;
	char *journal_path;		/* NULL when nothing was renamed */
};

/**
 * rename_all() - rename, or say what would be renamed
 * @renamer: how
 * @wrongs: the names; sorted here
 * @count: how many
 * @roots: those of their walk
 *
 * The journal is on the disk before anything is renamed, no name is ever
 * overwritten, and children come before their parents.
 */
void rename_all(struct renamer *renamer, struct wrong *wrongs, size_t count,
		const struct rename_root *roots);

/* Print that a name has been (or would be) renamed, or why it is left. */
void rename_print(const struct renamer *renamer, const struct wrong *wrong,
		  bool left);

#endif /* UTF8VAL_RENAME_H */
