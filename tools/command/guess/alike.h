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

#include "base/text.h"

/* The groups of a directory. All zeros is none. */
struct alike {
	struct text keys;
	struct alike_group *groups;
	unsigned int count, room;
	unsigned int *table;		/* numbers of groups, 0 for none */
	size_t places;
};

/* For another directory, of which so many names are to be added. */
void alike_begin(struct alike *alike, size_t names);

/* The group that a name is in, from 0 on; what alike->count was if it is new. */
unsigned int alike_group(struct alike *alike, const uint8_t *name, size_t len);

void alike_free(struct alike *alike);

#endif /* UTF8VAL_GUESS_ALIKE_H */
