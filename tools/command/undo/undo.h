/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Giving names back. */
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

#endif /* UTF8VAL_UNDO_H */
