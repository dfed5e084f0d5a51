/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The lines of a journal, of which journal_read() makes a run. */
#ifndef UTF8VAL_JOURNAL_PARSE_H
#define UTF8VAL_JOURNAL_PARSE_H

#include "journal.h"

struct journal_parser {
	struct journal_run *out;
	size_t record_room, dir_room;
	unsigned long long committed;
	bool dirty;			/* something follows the last commit */
	struct walk_dir *root, *dir;	/* version 1: those at work */
};

/* Take a line without its newline; false when it is none of a journal. */
bool journal_parse(struct journal_parser *parser, const char *line);

#endif /* UTF8VAL_JOURNAL_PARSE_H */
