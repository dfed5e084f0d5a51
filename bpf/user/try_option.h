/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Give a mount that goes no further the option. */
#ifndef UTF8VAL_GUARD_TRY_OPTION_H
#define UTF8VAL_GUARD_TRY_OPTION_H

#include <stdbool.h>

/* Give it to this fs_context. Returns: is it taken? If not, errno says why. */
bool set_option(int fs, const char *mode);

/* Does a mount take the option, by this guard or anything else? */
bool option_is_taken(void);

#endif /* UTF8VAL_GUARD_TRY_OPTION_H */
