/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The second half of a fix: the renames, after all new names were chosen. fix.c calls
 * this with choose.c's requests.
 */
#ifndef UTF8VAL_FIX_RENAME_H
#define UTF8VAL_FIX_RENAME_H

#include "fix/renamer.h"
#include "fix/request.h"

struct links;

/**
 * rename_all() - rename, or say what would be renamed
 * @renamer: how
 * @requests: the names; sorted here
 * @links: what may have them in its targets
 *
 * The journal is on the disk before anything is renamed, no name is ever
 * overwritten, and children come before their parents.
 */
void rename_all(struct renamer *renamer, struct requests *requests, struct links *links);

#endif /* UTF8VAL_FIX_RENAME_H */
