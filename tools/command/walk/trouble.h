/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What a walk could not read, said and counted. */
#ifndef UTF8VAL_WALK_TROUBLE_H
#define UTF8VAL_WALK_TROUBLE_H

#include <stddef.h>

#include "walk/walk.h"

/* Report an error and count it. */
void walk_trouble(struct walk *walk, const struct walk_dir *dir,
		  const char *name, size_t len, int error);

#endif /* UTF8VAL_WALK_TROUBLE_H */
