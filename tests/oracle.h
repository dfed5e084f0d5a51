/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A slow second opinion. It knows UTF-8 by the arithmetic of code points, not
 * by byte ranges, and shares nothing with the core or its generator.
 */
#ifndef UTF8VAL_TESTS_ORACLE_H
#define UTF8VAL_TESTS_ORACLE_H

#include "../utf8val.h"

/*
 * The sequence at the start of @len bytes (at least one): its length; in *cp
 * the code point or the negative enum utf8val_reason.
 */
size_t oracle_unit(const uint8_t *s, size_t len, int32_t *cp);

/* utf8val_check() by oracle_unit(). */
struct utf8val_result oracle_check(const uint8_t *s, size_t len);

/* The bytes of a code point: how many, 0 when it is no scalar value. */
size_t oracle_encode(uint32_t cp, uint8_t out[4]);

#endif /* UTF8VAL_TESTS_ORACLE_H */
