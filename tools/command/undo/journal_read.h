/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Reading a journal as a whole. undo.c and journal_list.c call this. */
#ifndef UTF8VAL_UNDO_JOURNAL_READ_H
#define UTF8VAL_UNDO_JOURNAL_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "walk/dir.h"

enum journal_kind { JOURNAL_NAME, JOURNAL_LINK };

struct journal_record {
	enum journal_kind kind;
	bool failed;
	struct walk_dir *dir;
	struct identity id;	/* of a name */
	char *old, *new;
	char *name, *scratch;	/* for a link */
	const char *before;	/* the first name, if the file had another since; or NULL */
};

/* A journal that has been read. */
struct journal_run {
	time_t when;
	char *user, *host;	/* host: NULL if the journal has none */
	bool ended;		/* the run came to its end */
	bool cut;		/* the end of the journal is missing */
	bool undone;
	struct journal_record *records;	/* in the order they were written */
	size_t count;
	/* Directories by their number; the name of a root is its absolute path. */
	struct walk_dir **dirs;
	unsigned long long *file_systems;	/* of roots, as statfs() says */
	size_t dir_count;
	struct identity file;		/* the journal itself */
};

/**
 * journal_read() - read a whole journal
 * @path: the file
 * @run: filled in with the journal's records
 *
 * Return: false with a message when the file cannot be read or is not a journal.
 */
bool journal_read(const char *path, struct journal_run *run);
void journal_free(struct journal_run *run);

/* The letter that stands for a type of file (S_IFDIR, ...) in a journal. */
char journal_type_letter(mode_t type);

#endif /* UTF8VAL_UNDO_JOURNAL_READ_H */
