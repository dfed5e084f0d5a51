/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Reading a journal as a whole. */
#ifndef UTF8VAL_UNDO_JOURNAL_READ_H
#define UTF8VAL_UNDO_JOURNAL_READ_H

#include <stdbool.h>

#include "undo/journal_parse.h"

/**
 * journal_read() - read a whole journal
 * @path: the file
 * @run: filled in with what the journal says
 *
 * Return: false with a message when the file cannot be read or is no journal.
 */
bool journal_read(const char *path, struct journal_run *run);
void journal_free(struct journal_run *run);

#endif /* UTF8VAL_UNDO_JOURNAL_READ_H */
