/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The table of scan --summary: counts of names by guess and directory. scan.c fills it.
 */
#ifndef UTF8VAL_SCAN_SUMMARY_H
#define UTF8VAL_SCAN_SUMMARY_H

#include <pthread.h>
#include <stdbool.h>

#include "scan/hint.h"
#include "walk/progress.h"
#include "walk/walk.h"

/* levels below a root that are told apart, and the most that can be asked for */
#define SUMMARY_DEPTH 8
#define SUMMARY_DEPTH_MOST 64

struct summary {
	pthread_mutex_t lock;
	void *counts;		/* a tree of tsearch() */
	size_t count;
	unsigned int depth;	/* levels below a root; 0: SUMMARY_DEPTH */
	struct hint_options options;
};

/* A row of a table of options. */
#define SUMMARY_OPTION_DEPTH(summary) \
	{ 0, "depth", "N", \
	  "Count directories separately in a summary, down to N levels " \
	  "below PATH (default: 8)", \
	  .number = &(summary)->depth, .most = SUMMARY_DEPTH_MOST }

/* Count a name that was met in this directory; from any thread. */
void summary_count(struct summary *summary, const struct walk_dir *dir,
		   const struct guess *guess);

/**
 * summary_print() - print a row for each place and guess, those of most names first
 * @summary: what was counted; freed here
 * @roots: what was walked
 * @progress: of the walk, for the totals
 * @json: for programs; otherwise commands that would deal with the names follow on
 *	standard error
 *
 * A place is the deepest directory that holds all names of a part of the tree in which
 * no two charsets are sure.
 */
void summary_print(struct summary *summary, char *const *roots,
		   const struct progress *progress, bool json);

#endif /* UTF8VAL_SCAN_SUMMARY_H */
