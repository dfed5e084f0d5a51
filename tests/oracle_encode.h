/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The oracle's other direction, which no kernel needs. */
#ifndef UTF8VAL_TESTS_ORACLE_ENCODE_H
#define UTF8VAL_TESTS_ORACLE_ENCODE_H

#include <stddef.h>
#include <stdint.h>

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

#endif /* UTF8VAL_TESTS_ORACLE_ENCODE_H */
