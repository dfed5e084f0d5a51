/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A slow second opinion. The oracle knows UTF-8 by the arithmetic of code points, not by
 * ranges of bytes, and shares nothing with the core or its generator.
 */
#ifndef UTF8VAL_TESTS_ORACLE_H
#define UTF8VAL_TESTS_ORACLE_H

#ifdef __KERNEL__
#include <linux/utf8val.h>
#else
#include "../utf8val.h"
#endif

/*
 * The sequence at the start of @len bytes (at least one): returns the length of the
 * sequence, and sets *cp to its code point or to the negative enum utf8val_reason.
 */
size_t oracle_unit(const uint8_t *s, size_t len, int32_t *cp);

/* utf8val_check() by oracle_unit(). */
struct utf8val_result oracle_check(const uint8_t *s, size_t len);

#endif /* UTF8VAL_TESTS_ORACLE_H */
