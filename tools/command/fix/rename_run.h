/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The state of a run of renames, and its batches. rename.c and link.c use this. */
#ifndef UTF8VAL_FIX_RENAME_RUN_H
#define UTF8VAL_FIX_RENAME_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "fix/freename.h"
#include "fix/renamer.h"
#include "fix/request.h"
#include "undo/journal.h"
#include "walk/cursor.h"

/* A request that is being carried out. */
struct pending {
	struct rename_request *request;
	const char *from;		/* the name as it is by now */
	struct identity id;		/* of the file that has the name */
	unsigned long long record;	/* its number in the journal */
};

struct run {
	struct renamer *renamer;
	struct journal journal;
	bool stopped;			/* nothing more is renamed */
	bool lost;			/* the journal cannot be kept */
	bool stranded;			/* a file has a name that nobody asked for */
	struct cursor cursor;
	struct requests *requests;
	struct free_names names;
	struct pending *batch;		/* what is renamed together */
	size_t batch_size, batch_count;
};

/* The .how of a request by which a name only makes way for others meanwhile. */
extern const char *const run_between;

/* Complain that a name of a directory could not be changed, and count that. */
void run_fail(struct run *run, const struct walk_dir *dir, const char *name, int error);

/* Say that a name is left as it is, and count that; why: NULL when .how says it. */
void run_leave(struct run *run, struct rename_request *request, const char *why);

/*
 * Synchronise the journal. False with a message when that failed: nothing more is
 * renamed then.
 */
bool run_commit(struct run *run);

/* Rename at the end of the batch, which may be now. */
void run_add(struct run *run, struct rename_request *request, const char *from);

/* Rename what is in the batch. */
void run_finish_batch(struct run *run);

/* Rename without a batch, whatever stops the run: 0, or an errno value. */
int run_rename(struct run *run, struct pending *pending);

#endif /* UTF8VAL_FIX_RENAME_RUN_H */
