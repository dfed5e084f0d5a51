/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* After a walk: the names that were kept are decided, and handed over. */
#ifndef UTF8VAL_SCAN_BAD_FINISH_H
#define UTF8VAL_SCAN_BAD_FINISH_H

#include "walk/walk.h"

/* After the walk: guess, and hand over what is still kept. */
void bad_finish(struct walk *walk);

#endif /* UTF8VAL_SCAN_BAD_FINISH_H */
