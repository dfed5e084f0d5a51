/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The good names of a directory as evidence for its ill-formed ones. bad.c and
 * bad_dir.c call this. If names were renamed already, the remaining bad ones are not
 * typical of the directory.
 */
#ifndef UTF8VAL_SCAN_GOOD_H
#define UTF8VAL_SCAN_GOOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guess/sizes.h"

/* The good names that have Latin letters beyond ASCII. */
struct good_names {
	unsigned int count;
	/* of these, what has but letters of a charset */
	unsigned int written[MODEL_CHARSETS];
};

/* Add a name that is well-formed. */
void good_add(struct good_names *good, const char *name, size_t len);

/* The charsets of single bytes in which most of them could not be written, as bits. */
uint64_t good_against(const struct good_names *good);

/* Has an ill-formed name a Latin letter beyond ASCII in this charset of single bytes? */
bool good_is_latin(unsigned int charset, const char *name, size_t len);

#endif /* UTF8VAL_SCAN_GOOD_H */
