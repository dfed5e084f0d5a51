/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * utf8val_valid() for long texts, by vectors where the processor has them. Tested,
 * not proved: the core stays the one that says where an error is, and why.
 */
#ifndef UTF8VAL_CHECK_VECTOR_H
#define UTF8VAL_CHECK_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is this well-formed UTF-8? */
bool vector_valid(const uint8_t *s, size_t len);

/* Does vector_valid() take vectors here? Else it asks the core. */
bool vector_usable(void);

#endif /* UTF8VAL_CHECK_VECTOR_H */
