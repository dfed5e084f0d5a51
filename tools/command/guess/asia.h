/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The cost of a name in the charsets of East Asia. model.c calls this. */
#ifndef UTF8VAL_GUESS_ASIA_H
#define UTF8VAL_GUESS_ASIA_H

#include "guess/data.h"

/* The cost of a name in a charset of two and more bytes, in eighths of a nat. */
uint16_t asia_cost(enum east_asian charset, const uint8_t *s, size_t len);

/* Has it a character that stands alone as none does? */
bool asia_is_odd(enum east_asian charset, const uint8_t *s, size_t len);

/* As model_may_lack(). */
bool asia_may_lack(enum east_asian charset, const uint8_t *s, size_t len);

#endif /* UTF8VAL_GUESS_ASIA_H */
