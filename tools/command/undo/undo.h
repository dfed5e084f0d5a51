/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The restoring of names, and the search for a journal. undo.c restores, journal_list.c
 * finds the newest journal.
 */
#ifndef UTF8VAL_UNDO_H
#define UTF8VAL_UNDO_H

/*
 * The path of the newest journal that has not been undone, to be freed. NULL with a
 * message when there is no such journal, or when another user's run wrote it.
 */
char *journal_last(void);

/* Complain that undo needs a journal, and list the journals there are. */
void journal_complain_missing(void);

#endif /* UTF8VAL_UNDO_H */
