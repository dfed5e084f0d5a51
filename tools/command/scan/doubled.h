/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Names in double-encoded UTF-8: UTF-8 was taken for Windows-1252 or ISO 8859-1 and
 * encoded again, so that "ä" became "Ã¤". scan/misread.c and scan/mixed.c call this.
 */
#ifndef UTF8VAL_SCAN_DOUBLED_H
#define UTF8VAL_SCAN_DOUBLED_H

#include <stdbool.h>
#include <stddef.h>
#include <unictype.h>

#include "base/text.h"

/**
 * doubled_bytes() - find the bytes that a name was decoded from in a charset
 * @charset: one of the model's with single bytes
 * @name: well-formed
 * @len: its bytes
 * @bytes: replaced by what was found
 *
 * Most programs decode a byte that the charset lacks to ISO 8859-1's control.
 *
 * Return: how many of the characters are beyond ASCII; 0 also where one of them is not in
 * the charset.
 */
unsigned int doubled_bytes(unsigned int charset, const void *name, size_t len,
			   struct text *bytes);

/* Do letters of one word of these scripts stand together? */
bool doubled_same_script(const uc_script_t *a, const uc_script_t *b);

/* Would somebody have given a name these well-formed bytes, of which it was made? */
bool doubled_is_plausible(const void *name, size_t len, const struct text *bytes);

/**
 * doubled_decode() - take one encoding away, or more
 * @name: well-formed
 * @len: its bytes
 * @to: what the name was is added here
 *
 * Return: false, with nothing added, where that is not certain enough: "CAFÉ…"
 * is UTF-8 in Windows-1252, too.
 */
bool doubled_decode(const void *name, size_t len, struct text *to);

#endif /* UTF8VAL_SCAN_DOUBLED_H */
