/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Byte strings, and the results of CPython's UTF-8 codec for them; the reasons are the
 * generator's. The shared checks read these vectors. Lengths are in bytes.
 */
#ifndef UTF8VAL_TESTS_VECTORS_H
#define UTF8VAL_TESTS_VECTORS_H

#ifdef __KERNEL__
#include <linux/utf8val.h>
#else
#include "../utf8val.h"
#endif

struct utf8val_vector {
	const char *name;
	const uint8_t *bytes;
	uint16_t len;
	uint16_t valid;	/* as in struct utf8val_result */
	uint8_t bad;
	uint8_t reason;
#ifndef __KERNEL__
	uint16_t units;
	uint16_t replaced_len;
	const uint8_t *replaced;	/* repaired bytes; NULL: well-formed */
#endif
};

extern const struct utf8val_vector utf8val_vectors[];
extern const size_t utf8val_vector_count;

#endif /* UTF8VAL_TESTS_VECTORS_H */
