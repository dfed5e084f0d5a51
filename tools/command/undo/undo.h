/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Giving names back. */
#ifndef UTF8VAL_UNDO_H
#define UTF8VAL_UNDO_H

#include "undo/tree.h"

/**
 * undo() - give back the names that a journal holds
 * @options: which, where and how
 *
 * The newest first, parents therefore before their children. Nothing is ever
 * overwritten, and nothing is renamed that is not the file the journal speaks
 * of, nor where a symbolic link leads. It can be interrupted and repeated: what
 * has been given back is seen in the directory.
 *
 * Return: an exit status.
 */
int undo(const struct undo_options *options);

#endif /* UTF8VAL_UNDO_H */
