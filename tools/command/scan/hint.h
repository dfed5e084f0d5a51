/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The one line at the end that names the next command. */
#ifndef UTF8VAL_SCAN_HINT_H
#define UTF8VAL_SCAN_HINT_H

#include <stdatomic.h>

#include "scan/rules.h"

/* charsets that names are counted for; what is beyond is not hinted at */
#define HINT_CHARSETS 16

struct hint {
	const struct rules *rules;
	atomic_ullong likely;		/* names that fix would rename */
	unsigned long long possible;	/* and those that it would leave */
	struct {
		char charset[CHARSET_SIZE];
		unsigned long long names;
	} charsets[HINT_CHARSETS];	/* of the latter */
};

/*
 * One name for which a guess gives a new one. Not for several threads, unless
 * that guess is likely.
 */
void hint_count(struct hint *hint, const struct guess *guess);

/**
 * hint_print() - say on standard error what to do next, if there is anything
 * @hint: what has been counted
 * @list: the file that the paths came from, or NULL
 * @paths: what was walked, up to NULL
 */
void hint_print(const struct hint *hint, const char *list, char *const *paths);

#endif /* UTF8VAL_SCAN_HINT_H */
