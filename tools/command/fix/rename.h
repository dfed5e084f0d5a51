/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The second half of a fix: from names that are wanted to names that are. */
#ifndef UTF8VAL_FIX_RENAME_H
#define UTF8VAL_FIX_RENAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/option.h"
#include "walk/walk.h"

struct links;

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
	struct identity id;	/* what it is */
	unsigned long long record;
	bool twice;		/* found by more than one way: not this one */
	bool done;		/* renamed; in a dry run: would be */
};

struct renamer {
	/* what to do; set by the caller */
	bool apply;
	bool shorten;
	bool quiet;
	bool ask;			/* before each rename, on a terminal */
	unsigned int output;		/* enum output */
	unsigned int batch;		/* names per synchronised journal */
	const char *journal;		/* its path; NULL: the usual one */

	/* what came of it */
	unsigned long long renamed, left, troubles, links;
	char *journal_path;		/* NULL when nothing was renamed */
};

/**
 * rename_all() - rename, or say what would be renamed
 * @renamer: how
 * @wrongs: the names; sorted here, and what was found twice dropped
 * @count: how many
 * @links: what may have them in its targets
 *
 * The journal is on the disk before anything is renamed, no name is ever
 * overwritten, and children come before their parents.
 */
void rename_all(struct renamer *renamer, struct wrong *wrongs, size_t count,
		struct links *links);

#endif /* UTF8VAL_FIX_RENAME_H */
