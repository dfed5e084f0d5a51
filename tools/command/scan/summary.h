/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* scan --summary: how many names are what, and below which directory. */
#ifndef UTF8VAL_SCAN_SUMMARY_H
#define UTF8VAL_SCAN_SUMMARY_H

#include <pthread.h>
#include <stdbool.h>

#include "scan/rules.h"
#include "walk/walk.h"

struct summary {
	pthread_mutex_t lock;
	void *rows;	/* a tree of tsearch() */
	size_t count;
	const struct rules *rules;
};

/* Count a name that was met in this directory; from any thread. */
void summary_count(struct summary *summary, const struct walk_dir *dir,
		   const struct guess *guess);

/*
 * Print the rows, those of most names first, and on standard error the commands
 * that would deal with them. Frees them.
 */
void summary_print(struct summary *summary, bool json);

#endif /* UTF8VAL_SCAN_SUMMARY_H */
