/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The progress of a walk: on a terminal a line that is replaced, in a log a line now
 * and then. scan, summary and fix call this.
 */
#ifndef UTF8VAL_WALK_PROGRESS_H
#define UTF8VAL_WALK_PROGRESS_H

#include <stdatomic.h>

#include "base/text.h"
#include "walk/walk.h"

struct progress {
	bool has_extra;		/* names that are UTF-8 may be bad, too */
	bool quiet;		/* a log gets no line */
	bool shown;		/* standard error is a terminal */
	double begin;
	double next;		/* seconds from then to a log's next line */
	atomic_ullong bad;
};

void progress_begin(struct progress *progress);
void progress_tick(struct progress *progress, const struct walk *walk);

/* Write a result to standard output without breaking into the line of progress. */
void progress_emit(struct progress *progress, const struct text *text);

/*
 * Remove the line of progress and sum up: "N entries in S s, N ill-formed ...",
 * and a rate if it took a second.
 */
void progress_end(struct progress *progress, const struct walk *walk, bool summary);

/**
 * progress_print_end() - print the last record of --json
 * @progress: of the walk
 * @walk: at its end
 * @command: what begins and ends
 *
 * Before the record is everything that was found, so a reader that misses it, or finds
 * complete to be false, has only a part.
 */
void progress_print_end(const struct progress *progress, const struct walk *walk,
			const char *command);

/* The exit status of a scan. */
int progress_status(const struct progress *progress, const struct walk *walk);

#endif /* UTF8VAL_WALK_PROGRESS_H */
