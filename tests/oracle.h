/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A slow second implementation, with which all tests compare. The oracle decides by the
 * arithmetic of code points, not by ranges of bytes, and shares no code with the
 * library or its generator.
 */
#ifndef UTF8VAL_TESTS_ORACLE_H
#define UTF8VAL_TESTS_ORACLE_H

#ifdef __KERNEL__
#include <linux/utf8val.h>
#else
#include "../utf8val.h"
#endif

/*
 * The sequence at the start of @len bytes (at least one). Returns the length of the
 * sequence. Sets *cp to its code point or to the negative enum utf8val_reason.
 */
size_t oracle_unit(const uint8_t *s, size_t len, int32_t *cp);

/* utf8val_check() by oracle_unit(). */
struct utf8val_result oracle_check(const uint8_t *s, size_t len);

#ifndef __KERNEL__
/*
 * Write the bytes of a code point; returns their number, or 0 when it is no scalar value.
 */
static inline size_t oracle_encode(uint32_t cp, uint8_t out[4])
{
	size_t len = 1u + (cp >= 0x80) + (cp >= 0x800) + (cp >= 0x10000);
	size_t i;

	if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
		return 0;
	for (i = len - 1; i; i--) {
		out[i] = (uint8_t)(0x80 + cp % 64);
		cp = cp / 64;
	}
	/*
	 * A lead that begins with len ones is 256 less the place value of the last one.
	 */
	out[0] = (uint8_t)(len == 1 ? cp : 256 - (256u >> len) + cp);
	return len;
}
#endif

#endif /* UTF8VAL_TESTS_ORACLE_H */
