/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The output of fix for each name. rename_run.c and link.c call this. */
#ifndef UTF8VAL_FIX_RENAME_PRINT_H
#define UTF8VAL_FIX_RENAME_PRINT_H

#include <stdbool.h>

#include "fix/renamer.h"
#include "fix/request.h"

/* Print that a name has been (or would be) renamed, or why it is left. */
void rename_print(const struct renamer *renamer,
		  const struct rename_request *request, bool left);

/**
 * rename_print_link() - print the new target of a link, or why it keeps its old one
 * @renamer: how
 * @dir: where the link is
 * @name: what it is called
 * @target: its old target
 * @want: its new target; NULL: none was found
 * @why: why it keeps the old one, or NULL
 */
void rename_print_link(const struct renamer *renamer, const struct walk_dir *dir,
		       const char *name, const char *target, const char *want,
		       const char *why);

#endif /* UTF8VAL_FIX_RENAME_PRINT_H */
