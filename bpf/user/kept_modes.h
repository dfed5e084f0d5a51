/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The modes that stop takes, for the next start; in /run, as they end with a boot. */
#ifndef UTF8VAL_GUARD_KEPT_MODES_H
#define UTF8VAL_GUARD_KEPT_MODES_H

#include <stdbool.h>

/* Keep those that are in force now. Returns false after a complaint. */
bool kept_modes_write(void);

/*
 * Give each mode back to its file system, if that is mounted where it was, and
 * forget what is kept. Returns: none was left without? If not, it has complained.
 */
bool kept_modes_put_back(void);

/* The file systems still have them. */
void kept_modes_forget(void);

#endif /* UTF8VAL_GUARD_KEPT_MODES_H */
