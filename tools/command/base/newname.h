/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The properties that a new name must not have, unless a user asks for exactly that
 * name. fix, scan and the guesses check them.
 */
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
 * A new name must not surprise programs that read names. It has no control or invisible
 * character, no dot or dash in front, and no blank at either end.
 *
 * Return: the fault, for a message; NULL if there is none.
 */
const char *newname_trouble(const void *old, size_t old_len, const void *name,
			    size_t len);

/* How many bytes of a name stand before its extension. A dot file has none. */
size_t newname_stem(const char *name, size_t len);

#endif /* UTF8VAL_BASE_NEWNAME_H */
