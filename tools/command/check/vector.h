/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * utf8val_valid() for long texts, by vectors where the processor has them. The vector
 * code is tested, not proved: where an error is and why is still said by the core.
 */
#ifndef UTF8VAL_CHECK_VECTOR_H
#define UTF8VAL_CHECK_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Are these bytes well-formed UTF-8? Without vectors the core says that, too. */
bool vector_valid(const uint8_t *s, size_t len);

#endif /* UTF8VAL_CHECK_VECTOR_H */
