/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fields of a journal's line. A line may hold any bytes. Each function
 * moves the beginning of the line to what follows the field that it has taken.
 */
#ifndef UTF8VAL_UNDO_JOURNAL_FIELD_H
#define UTF8VAL_UNDO_JOURNAL_FIELD_H

#include <stdbool.h>

#include "walk/identity.h"

/*
 * The bytes of a field, up to a space or the end of the line, without their %HH
 * escapes; to be freed. NULL when the field is malformed.
 */
char *field_bytes(const char **line);

/*
 * The same for a field that has to be a name: a single component that leads out
 * of no directory.
 */
char *field_name(const char **line);

/* The letter that stands for a type of file (S_IFDIR, ...), and what it stands for. */
char field_type_letter(mode_t type);
bool field_type(const char **line, mode_t *type);

bool field_number(const char **line, unsigned long long *number);

/* Two fields: an inode number and a time of birth. */
bool field_identity(const char **line, struct identity *id);

#endif /* UTF8VAL_UNDO_JOURNAL_FIELD_H */
