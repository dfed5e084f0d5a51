/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Links that follow what has been renamed. */
#ifndef UTF8VAL_FIX_RENAME_LINK_H
#define UTF8VAL_FIX_RENAME_LINK_H

#include "fix/link.h"
#include "fix/rename_run.h"

/*
 * Find out which names that are to be changed the links have in their targets. The
 * directories of such links get their records in the journal while the paths that lead
 * there can still be told.
 */
void rename_link_resolve(struct run *run, struct links *links);

/*
 * Have what has been renamed be pointed to under its new name; also after an
 * interruption, which would leave those links dangling otherwise.
 */
void rename_link_update(struct run *run, struct links *links);

#endif /* UTF8VAL_FIX_RENAME_LINK_H */
