/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The line at the end that suggests the next command. scan, its summary and fix print
 * it.
 */
#ifndef UTF8VAL_SCAN_HINT_H
#define UTF8VAL_SCAN_HINT_H

#include <stdbool.h>

#include "scan/extra.h"
#include "walk/walk.h"

/* The options of the command that prints the hint, and those of the suggested command. */
struct hint_options {
	const struct extra *extra;
	const struct walk *walk;
	bool app_data, shorten;		/* fix alone has these */
};

/* The guesses that were counted; for one thread at a time. */
struct hint {
	struct hint_options options;
	unsigned long long likely;	/* names that fix would rename */
	unsigned long long possible;	/* and those that it would leave */
	const char *charset;	/* of the first guess at one */
	bool mixed;			/* there is a guess at another, too */
	unsigned long long undecided;	/* of the possible ones */
	bool beside_sure;		/* fix has listed surer names */
};

/* Note a name's guess, whether it is acted on or not. */
void hint_note(struct hint *hint, const struct guess *guess);

/* One name that is left, and for which a guess gives a new one. */
void hint_count(struct hint *hint, const struct guess *guess);

/**
 * hint_print() - say on standard error what to do next, if there is anything
 * @hint: what has been counted
 * @list: the file that the paths came from, or NULL
 * @paths: what was walked, up to NULL
 *
 * Certain guesses explain those that are not, so both are offered together if they stand
 * beside each other:
 *
 * - all at once, where one charset explains all names and at least half are certain;
 * - by directory, with the summary, where there are more charsets or some names are
 *   undecided.
 *
 * Where none is sure there is no command to offer but the summary for more charsets.
 */
void hint_print(const struct hint *hint, const char *list, char *const *paths);

/* Add the options of fix, for a walk that begins in a directory, or NULL: where it did. */
void hint_add_options(const struct hint_options *options, const struct walk_dir *dir,
		      struct text *line);

/* Say on standard error that no command can be offered; @left: for so many, 0: for none. */
void hint_none_sure(unsigned long long left);

#endif /* UTF8VAL_SCAN_HINT_H */
