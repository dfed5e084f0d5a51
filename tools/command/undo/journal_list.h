/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The journals that are kept in their usual place. */
#ifndef UTF8VAL_UNDO_JOURNAL_LIST_H
#define UTF8VAL_UNDO_JOURNAL_LIST_H

/*
 * The newest journal that has not been undone, if it is this user's: its path,
 * to be freed; NULL with a message when it is somebody else's or there is none.
 */
char *journal_last(void);

/* Say that --undo needs a journal, and which there are. */
void journal_complain_missing(void);

/* The subcommand: argv[0] is for messages; returns an exit status. */
int journal_main(int argc, char **argv);

#endif /* UTF8VAL_UNDO_JOURNAL_LIST_H */
