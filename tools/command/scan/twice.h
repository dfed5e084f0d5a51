/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Names that are UTF-8 twice over: UTF-8 was taken for Windows-1252 or ISO 8859-1
 * and encoded once more, so that "ä" has become "Ã¤".
 */
#ifndef UTF8VAL_SCAN_TWICE_H
#define UTF8VAL_SCAN_TWICE_H

#include <stdbool.h>
#include <stddef.h>
#include <unictype.h>

#include "base/text.h"

/* Do letters of one word of these scripts stand together? */
bool twice_same_script(const uc_script_t *a, const uc_script_t *b);

/* Would somebody have given a name these well-formed bytes, of which it was made? */
bool twice_is_plausible(const void *name, size_t len, const struct text *bytes);

/**
 * twice_decode() - take one encoding away, or more
 * @name: well-formed
 * @len: its bytes
 * @to: what the name was is added here
 *
 * Return: false, with nothing added, where that is not certain enough: "CAFÉ…"
 * is UTF-8 in Windows-1252, too.
 */
bool twice_decode(const void *name, size_t len, struct text *to);

#endif /* UTF8VAL_SCAN_TWICE_H */
