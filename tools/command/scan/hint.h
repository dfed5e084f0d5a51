/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The one line at the end that names the next command. */
#ifndef UTF8VAL_SCAN_HINT_H
#define UTF8VAL_SCAN_HINT_H

#include <stdbool.h>

#include "scan/rules.h"

/* The guesses that were counted; for one thread at a time. */
struct hint {
	const struct rules *rules;
	unsigned long long likely;	/* names that fix would rename */
	unsigned long long possible;	/* and those that it would leave */
	const char *charset;	/* of the first guess at one */
	bool mixed;			/* there is a guess at another, too */
	unsigned long long undecided;	/* of the possible ones */
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
 * Sure names explain those that are not, so both are offered together, while they
 * stand beside each other: all at once where one charset explains all that was met, and
 * by directory, by way of the summary, where there are more or some are undecided. Where
 * all are undecided there is no command to offer.
 */
void hint_print(const struct hint *hint, const char *list, char *const *paths);

/* Say on standard error that no command can be offered. */
void hint_none_sure(void);

#endif /* UTF8VAL_SCAN_HINT_H */
