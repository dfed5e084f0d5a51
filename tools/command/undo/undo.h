/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The restoring of names, and the search for a journal. undo.c restores, journal_list.c
 * finds the newest journal.
 */
#ifndef UTF8VAL_UNDO_H
#define UTF8VAL_UNDO_H

/*
 * The path of the newest journal that was not undone, to be freed. NULL after a message
 * if there is none, or if another user wrote it.
 */
char *journal_last(void);

/* Print that undo needs a journal, and list the journals. */
void journal_complain_missing(void);

#endif /* UTF8VAL_UNDO_H */
