/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The options for renames, and the counts of results. fix.c sets the options, rename*.c
 * count.
 */
#ifndef UTF8VAL_FIX_RENAMER_H
#define UTF8VAL_FIX_RENAMER_H

#include <stdbool.h>

#include "base/option.h"

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

#endif /* UTF8VAL_FIX_RENAMER_H */
