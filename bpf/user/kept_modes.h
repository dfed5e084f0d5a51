/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The modes that stop takes away, for the next start. In /run, as a boot ends
 * them.
 */
#ifndef UTF8VAL_GUARD_KEPT_MODES_H
#define UTF8VAL_GUARD_KEPT_MODES_H

#include <stdbool.h>

/*
 * Keep the modes that are in force now. If that fails, those stay kept that this stop has
 * kept already (@again). Returns: false after a complaint.
 */
bool kept_modes_write(bool again);

/*
 * Give each mode back to its file system, if that is mounted where it was and has no mode,
 * and forget the modes: a start that was interrupted has given some back, and a stop that
 * gave up has taken none. Returns: have all file systems got theirs? If not, it has
 * complained.
 */
bool kept_modes_put_back(void);

#endif /* UTF8VAL_GUARD_KEPT_MODES_H */
