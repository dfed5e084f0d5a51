/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What fix calls of this room: giving names back, and finding a journal for that. */
#ifndef UTF8VAL_UNDO_H
#define UTF8VAL_UNDO_H

#include "undo/tree.h"

/**
 * undo() - give back the names that a journal holds
 * @options: the journal, the trees and what to do
 *
 * The newest name is given back first, so a parent comes before its children.
 * Nothing is ever overwritten, no file is renamed but the one the journal speaks
 * of, and no symbolic link is followed. An undo can be interrupted and repeated:
 * what has been given back is seen in the directory.
 *
 * Return: an exit status.
 */
int undo(const struct undo_options *options);

/*
 * The path of the newest journal that has not been undone, to be freed. NULL with a
 * message when there is no such journal, or when another user's run wrote it.
 */
char *journal_last(void);

/* Complain that --undo needs a journal, and list the journals there are. */
void journal_complain_missing(void);

#endif /* UTF8VAL_UNDO_H */
