/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Give the option to a context that is never mounted. */
#ifndef UTF8VAL_GUARD_TRY_OPTION_H
#define UTF8VAL_GUARD_TRY_OPTION_H

#include <stdbool.h>

/*
 * Give utf8val=@mode to this fs_context. Returns: is the option taken? If not,
 * errno says why.
 */
bool set_option(int fs, const char *mode);

/* Does a mount take the option, thanks to this guard or to anything else? */
bool option_is_taken(void);

#endif /* UTF8VAL_GUARD_TRY_OPTION_H */
