/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Names that differ only in numbers and in what stands after the last dot, like
 * those of photographs and of pieces of music: all are in the same charset, and one
 * of them tells as much of it as all.
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
