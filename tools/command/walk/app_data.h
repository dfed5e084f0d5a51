/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Directories in which names are a program's own: a rename there breaks what the
 * program knows of them. They are told by what their owners put beside them.
 */
#ifndef UTF8VAL_WALK_APP_DATA_H
#define UTF8VAL_WALK_APP_DATA_H

#include <stddef.h>

#include "walk/visit.h"

/* Note what an entry says of the directory that a walk meets it in. */
void app_data_note(struct walk_dir *dir, const char *name, size_t len);

/*
 * Whose data a directory is, or is in: a message, or NULL. After the walk, for one
 * thread at a time; what is above the walk's roots is looked at, too.
 */
const char *app_data_message(struct walk_dir *dir);

#endif /* UTF8VAL_WALK_APP_DATA_H */
