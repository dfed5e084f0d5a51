/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Unicode's normalization forms: "é" is one character, or an e and an accent. To
 * file systems these are two names; libunistring knows which is which.
 */
#ifndef UTF8VAL_SCAN_NORMAL_H
#define UTF8VAL_SCAN_NORMAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * A compatibility ideograph is another spelling of an ideograph, which a Japanese or
 * Korean font shows as another character, and both normalization forms make it that
 * ideograph. Only the full forms here do so: others keep what their authors meant.
 */
enum normal_form { NORMAL_ANY, NORMAL_NFC, NORMAL_NFD, NORMAL_FULL_NFC, NORMAL_FULL_NFD };

/* "nfc", "nfd", "full-nfc", "full-nfd"; NORMAL_ANY for anything else */
enum normal_form normal_by_name(const char *name);
const char *normal_name(enum normal_form form);

static inline bool normal_composes(enum normal_form form)
{
	return form == NORMAL_NFC || form == NORMAL_FULL_NFC;
}

/* Is a name that is UTF-8 in this form? */
bool normal_is(enum normal_form form, const void *name, size_t len);

/* Add a name in this normalization form. */
void normal_convert(enum normal_form form, const void *name, size_t len, struct text *to);

#endif /* UTF8VAL_SCAN_NORMAL_H */
