/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef UTF8VAL_UNDO_H
#define UTF8VAL_UNDO_H

#include <stdbool.h>

/**
 * undo() - give back the names that a journal holds
 * @journal: its file
 * @root: the tree, when it is no longer where the journal says; or NULL
 * @apply: do it, instead of only saying what would be done
 * @quiet: print no line for each name
 *
 * The newest first, parents therefore before their children. Nothing is ever
 * overwritten. It can be interrupted and repeated: what has been given back is
 * seen in the directory.
 *
 * Return: an exit status.
 */
int undo(const char *journal, const char *root, bool apply, bool quiet);

#endif /* UTF8VAL_UNDO_H */
