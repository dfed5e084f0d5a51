/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Modes and operations, as users write and read them. */
#ifndef UTF8VAL_GUARD_WORDS_H
#define UTF8VAL_GUARD_WORDS_H

const char *mode_name(unsigned int mode);
const char *op_name(unsigned int op);

/* Returns: an enum guard_mode; GUARD_UNSET if no mode has this name. */
int mode_parse(const char *name);

#endif /* UTF8VAL_GUARD_WORDS_H */
