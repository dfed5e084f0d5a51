/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Parsing the lines of a journal into a run. */
#ifndef UTF8VAL_UNDO_JOURNAL_PARSE_H
#define UTF8VAL_UNDO_JOURNAL_PARSE_H

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
	const char *before;	/* the first name of what had another since; or NULL */
};

/* A journal that has been read. */
struct journal_run {
	time_t when;
	char *user;
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

struct journal_parser {
	struct journal_run *out;
	size_t record_room, dir_room, file_systems, file_system_room;
	bool begun;			/* the first line was read */
	bool dirty;			/* a record follows the last commit */
};

/* Parse a line, given without its newline; false when no journal has such a line. */
bool journal_parse(struct journal_parser *parser, const char *line);

#endif /* UTF8VAL_UNDO_JOURNAL_PARSE_H */
