/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What a new name must not be, unless somebody asks for exactly that. */
#ifndef UTF8VAL_BASE_NEWNAME_H
#define UTF8VAL_BASE_NEWNAME_H

#include <stddef.h>

/**
 * newname_trouble() - is this a name that a person could have given?
 * @old: the name as it is
 * @old_len: its bytes
 * @name: what it would become, well-formed
 * @len: its bytes
 *
 * A program that goes through names must not meet what was not there before: a control or
 * an invisible character, a dot or a dash in front, a blank at either end.
 *
 * Return: what is wrong with it, for a message; NULL when nothing is.
 */
const char *newname_trouble(const void *old, size_t old_len, const void *name,
			    size_t len);

/* How many bytes of a name stand before its extension. A dot file has none. */
size_t newname_stem(const char *name, size_t len);

#endif /* UTF8VAL_BASE_NEWNAME_H */
