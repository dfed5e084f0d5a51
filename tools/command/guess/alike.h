/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Groups of names that differ only in numbers and in the part after the last dot, for
 * example names of photographs. All names of a group are in one charset, and one of
 * them is as much evidence as all. bad_dir.c and guess.c call this.
 */
#ifndef UTF8VAL_GUESS_ALIKE_H
#define UTF8VAL_GUESS_ALIKE_H

#include <stddef.h>
#include <stdint.h>

#include "base/strings.h"

/* The groups of a directory. All zeros is none. */
struct alike {
	struct arena keys;
	struct strings groups;		/* by the key that their names share */
};

/* For another directory. */
void alike_begin(struct alike *alike);

/* The group that a name is in, from 0 on; what alike_count() was if it is new. */
unsigned int alike_group(struct alike *alike, const uint8_t *name, size_t len);

/* How many groups there are. */
static inline unsigned int alike_count(const struct alike *alike)
{
	return (unsigned int)alike->groups.count;
}

void alike_free(struct alike *alike);

#endif /* UTF8VAL_GUESS_ALIKE_H */
