/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Names that somebody ought to look at, and that no program can mend: such as hide
 * something, and such as have lost something.
 */
#ifndef UTF8VAL_SCAN_SUSPECT_H
#define UTF8VAL_SCAN_SUSPECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/**
 * suspect_is_unsafe() - has a well-formed name characters that are not seen?
 * @name: well-formed
 * @len: its bytes
 *
 * By Unicode's properties: controls, separators of lines, what turns text around,
 * variation selectors, and whatever else has no width.
 */
bool suspect_is_unsafe(const void *name, size_t len);

/* Add each such character once: "has U+202E, which turns text around", ... */
void suspect_unsafe_reason(const void *name, size_t len, struct text *to);

/*
 * Have characters of a name been replaced for good, by U+FFFD or by two question
 * marks or more in turn?
 */
bool suspect_is_damaged(const void *name, size_t len);

/* Add how many: "3 characters are lost, U+FFFD in their place". */
void suspect_damaged_reason(const void *name, size_t len, struct text *to);

#endif /* UTF8VAL_SCAN_SUSPECT_H */
