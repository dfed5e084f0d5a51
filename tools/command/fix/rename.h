/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The second half of a fix: from names that are wanted to names that are. */
#ifndef UTF8VAL_FIX_RENAME_H
#define UTF8VAL_FIX_RENAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/option.h"
#include "fix/request.h"

struct links;

struct renamer {
	/* what to do; set by the caller */
	bool apply;
	bool shorten;
	bool may_wait;			/* see rename_chain() in rename.c */
	bool app_data;			/* also where names are a program's own */
	bool touch;			/* directories get new times */
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
 * @requests: the names; sorted here
 * @links: what may have them in its targets
 *
 * The journal is on the disk before anything is renamed, no name is ever
 * overwritten, and children come before their parents.
 */
void rename_all(struct renamer *renamer, struct requests *requests, struct links *links);

#endif /* UTF8VAL_FIX_RENAME_H */
