/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A journal that is being undone, and the present places of its directories. undo.c
 * calls this.
 */
#ifndef UTF8VAL_UNDO_TREE_H
#define UTF8VAL_UNDO_TREE_H

#include <stdbool.h>

#include "base/strings.h"
#include "undo/journal_read.h"
#include "walk/cursor.h"

struct undo_options {
	const char *journal;	/* the path of the journal */
	char *const *paths;	/* parts of the trees, or roots that have moved; none: all */
	bool apply;		/* rename, not only print */
	bool no_lock;		/* even if another run works there */
	bool quiet;		/* print errors only */
	bool trust_names;	/* do not compare identities */
	unsigned int output;	/* enum output */
};

/* A journal that is being undone. */
struct undo {
	const struct undo_options *options;
	struct journal_run run;
	struct cursor cursor;
	const struct walk_dir *lost;	/* entering it failed with a complaint */
	unsigned char *roots;	/* enum root_state, by number of directory */
	char **new_roots;	/* by the same number: the new path, if renamed */
	bool *chosen;		/* by the same number, with all below; NULL: all */
	/* names in directories, chosen by themselves */
	struct undo_name {
		const struct walk_dir *dir;
		const char *name;	/* from the command line */
	} *names;
	size_t name_count, name_room;
	struct strings given;	/* a dry run: see undo.c */
	struct arena bytes;	/* their names */
	struct walk_dir *open;	/* the root that is open now, or NULL */
	unsigned long long done, troubles;
};

/* Find the paths of the command line; false after a complaint. */
bool undo_tree_begin(struct undo *undo);

/* Is this record at or below a path of the command line? */
bool undo_tree_has(const struct undo *undo, const struct journal_record *record);

/*
 * Open the root of a directory, if need be; false when that has failed. A root is
 * opened only when a record needs it, because another record may restore the root's own
 * name, before or after.
 */
bool undo_tree_has_root(struct undo *undo, const struct walk_dir *dir);

/* Print why one name cannot be restored, and count that. */
void undo_tree_tell(struct undo *undo, const struct walk_dir *dir,
		    const char *name, const char *message);

#endif /* UTF8VAL_UNDO_TREE_H */
