/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Reporting and counting what a walk could not read. */
#ifndef UTF8VAL_WALK_TROUBLE_H
#define UTF8VAL_WALK_TROUBLE_H

#include <stddef.h>

#include "walk/walk.h"

/* Report an error and add one to the walk's troubles. */
void walk_trouble(struct walk *walk, const struct walk_dir *dir,
		  const char *name, size_t len, int error);

#endif /* UTF8VAL_WALK_TROUBLE_H */
