/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Names that somebody ought to look at, and that no program can mend: such as hide
 * something, and such as have lost something.
 */
#ifndef UTF8VAL_SCAN_SUSPECT_H
#define UTF8VAL_SCAN_SUSPECT_H

#include <stddef.h>

#include "base/text.h"

/**
 * suspect_unsafe_reason() - add which characters of a name are not seen
 * @name: well-formed
 * @len: its bytes
 * @to: each is added here once: "has U+202E, which turns text around", ...
 *
 * By Unicode's properties: controls, separators of lines, what turns text around,
 * variation selectors, and whatever else has no width.
 */
void suspect_unsafe_reason(const void *name, size_t len, struct text *to);

/*
 * Add how many characters of a name have been replaced for good, by U+FFFD or by two
 * question marks or more in turn: "3 characters are lost, U+FFFD in their place".
 */
void suspect_damaged_reason(const void *name, size_t len, struct text *to);

#endif /* UTF8VAL_SCAN_SUSPECT_H */
