/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Names that were decoded in a wrong charset, for example by a program that unpacks an
 * archive and takes every name for CP437. Such names are well-formed, and make no sense
 * in any language. extra.c calls this, and mixed.c for parts of names.
 */
#ifndef UTF8VAL_SCAN_MISREAD_H
#define UTF8VAL_SCAN_MISREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* The original of a name that was encoded twice. */
extern const char *const misread_utf8;

/* The original charset of a name, and the one that it was decoded in: iconv's names. */
struct misread {
	const char *was, *taken_for;
};

/**
 * misread_take() - two charsets that a user has named
 * @misread: filled in; its strings last as long as the argument
 * @argument: what names were taken for, then perhaps a colon and what they were, which
 *	is UTF-8 otherwise
 *
 * Return: what is wrong with the argument, or NULL.
 */
const char *misread_take(struct misread *misread, const char *argument);

/**
 * misread_decode() - decode a name again
 * @name: well-formed
 * @len: its bytes
 * @misread: the pair that a user has named; or filled in, where .was is NULL
 * @to: what the name was is added here
 *
 * Return: false, with nothing added, unless the name can have been decoded like this. If
 * no user has named a pair of charsets, the original bytes must also read clearly better
 * in another charset than the name does.
 */
bool misread_decode(const void *name, size_t len, struct misread *misread,
		    struct text *to);

/* Are well-formed bytes surely UTF-8, even if they may be in WINDOWS-1252? */
bool misread_is_utf8(const void *bytes, size_t len);

#endif /* UTF8VAL_SCAN_MISREAD_H */
