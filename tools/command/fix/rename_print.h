/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What a fix says of each name. */
#ifndef UTF8VAL_FIX_RENAME_PRINT_H
#define UTF8VAL_FIX_RENAME_PRINT_H

#include <stdbool.h>

#include "fix/rename.h"

/* Print that a name has been (or would be) renamed, or why it is left. */
void rename_print(const struct renamer *renamer,
		  const struct rename_request *request, bool left);

struct link;

/* Print the new target of a link, or why the link keeps its old target. */
void rename_print_link(const struct renamer *renamer, const struct link *link,
		       const char *why);

#endif /* UTF8VAL_FIX_RENAME_PRINT_H */
