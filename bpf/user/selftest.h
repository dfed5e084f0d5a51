/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Try what is loaded. */
#ifndef UTF8VAL_GUARD_SELFTEST_H
#define UTF8VAL_GUARD_SELFTEST_H

#include <stdbool.h>

#include <linux/types.h>

/*
 * True, or a complaint. Takes the map of marks, and which generation's programs are
 * to refuse names.
 */
bool selftest(int marks, __u64 generation);

#endif /* UTF8VAL_GUARD_SELFTEST_H */
