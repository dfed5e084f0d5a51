/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A journal that is being undone, and where its directories are by now. */
#ifndef UTF8VAL_UNDO_TREE_H
#define UTF8VAL_UNDO_TREE_H

#include <stdbool.h>

#include "undo/journal_read.h"
#include "walk/cursor.h"

struct undo_options {
	const char *journal;	/* its file */
	char *const *trees;	/* those that have moved: where they are now */
	bool apply;		/* do it, instead of only saying so */
	bool quiet;		/* print errors only */
	bool trust_names;	/* ask no file whether it is the one */
	unsigned int output;	/* enum output */
};

/* A journal that is being undone. */
struct undo {
	const struct undo_options *options;
	struct journal_run run;
	struct cursor cursor;
	const struct walk_dir *lost;	/* could not be entered, and was told */
	unsigned char *roots;	/* of each directory: an enum sought */
	struct walk_dir *open;	/* a root that is open for now, or NULL */
	unsigned long long done, troubles;
};

/* Find the roots that have been named; false when told why one is none. */
bool undo_tree_begin(struct undo *undo);

/*
 * Is the root of a directory open? It may be found only when its own name, by
 * a later record, has been given back; a dry run looks for its new name.
 */
bool undo_tree_has_root(struct undo *undo, const struct walk_dir *dir);

/* Tell what stands in the way of one thing, and count it. */
void undo_tree_tell(struct undo *undo, const struct walk_dir *dir,
		    const char *name, const char *message);

#endif /* UTF8VAL_UNDO_TREE_H */
