// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Groups of names that differ only in what is no evidence of a charset, such as numbers.
 * Each group is guessed once. Without it, 3 of 184 directories in "one event" of bench-guess
 * are renamed wrongly.
 */
#include "guess/alike.h"

#include <stdbool.h>

#include "guess/data.h"

void alike_begin(struct alike *alike)
{
	arena_reset(&alike->keys);
	strings_reset(&alike->groups);
}

void alike_free(struct alike *alike)
{
	arena_free(&alike->keys);
	strings_free(&alike->groups);
}

/* The common part of names that are alike: each number is one digit. */
static size_t make_key(char *key, const uint8_t *name, size_t len)
{
	size_t stem = stem_length(name, len);
	char *to = key;
	bool number = false;

	for (size_t i = 0; i < stem; i++) {
		bool digit = (uint8_t)(name[i] - '0') < 10;

		/* another digit takes the place of the one before it */
		to -= digit && number;
		*to++ = digit ? '0' : (char)name[i];
		number = digit;
	}
	if (stem < len)
		*to++ = '.';
	*to++ = '\0';
	return (size_t)(to - key);
}

unsigned int alike_group(struct alike *alike, const uint8_t *name, size_t len)
{
	char *key = arena_room(&alike->keys, len + 2);
	size_t size = make_key(key, name, len), count = alike->groups.count;
	size_t group = strings_add(&alike->groups, key);

	if (group == count)
		arena_take(&alike->keys, size);
	return (unsigned int)group;
}
