/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fields of a journal's line, which may hold anything. Each function moves
 * the line's beginning after what it has taken.
 */
#ifndef UTF8VAL_UNDO_JOURNAL_FIELD_H
#define UTF8VAL_UNDO_JOURNAL_FIELD_H

#include <stdbool.h>

#include "walk/identity.h"

/* The %HH of a field undone, up to a space or the end; NULL if it is none. */
char *field_bytes(const char **line);

/* The same for a name: one component of a path that stays where it is. */
char *field_name(const char **line);

/* Can this be one? */
bool field_is_name(const char *name);

bool field_number(const char **line, unsigned long long *number);

/* An inode number and a time of birth. */
bool field_identity(const char **line, struct identity *id);

#endif /* UTF8VAL_UNDO_JOURNAL_FIELD_H */
