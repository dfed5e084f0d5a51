// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Names that are alike but for what says nothing of a charset. */
#include "guess/alike.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "guess/model.h"
#include "guess/stem.h"

/* places that are looked at: no directory is made so that it takes much longer */
#define MOST_PLACES 64

struct alike_group {
	size_t at;	/* in the keys */
	size_t len;
};

void alike_begin(struct alike *alike, size_t names)
{
	size_t places = 4;

	alike->keys.len = 0;
	alike->count = 0;
	while (places < 2 * names)
		places *= 2;
	if (places > alike->places || places * 64 < alike->places) {
		free(alike->table);
		alike->table = must(malloc(places * sizeof(*alike->table)));
	}
	alike->places = places;
	memset(alike->table, 0, places * sizeof(*alike->table));
}

void alike_free(struct alike *alike)
{
	text_free(&alike->keys);
	free(alike->groups);
	free(alike->table);
}

/* What is the same of all names that are alike: each number is one digit. */
static size_t add_key(struct text *keys, const uint8_t *name, size_t len)
{
	size_t stem = stem_length(name, len);
	char *begin = text_room(keys, stem + 1), *to = begin;
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
	keys->len += (size_t)(to - begin);
	return (size_t)(to - begin);
}

static uint32_t hash_of(const char *key, size_t size)
{
	uint64_t hash = size, some;

	for (; size >= sizeof(some); key += sizeof(some), size -= sizeof(some)) {
		memcpy(&some, key, sizeof(some));
		hash = (hash ^ some) * 0x9E3779B97F4A7C15u;
		hash ^= hash >> 32;
	}
	for (; size; size--)
		hash = (hash ^ (uint8_t)*key++) * 0x9E3779B97F4A7C15u;
	return (uint32_t)(hash >> 32);
}

unsigned int alike_group(struct alike *alike, const uint8_t *name, size_t len)
{
	size_t at = alike->keys.len, size = add_key(&alike->keys, name, len);
	const char *key = alike->keys.bytes + at;
	uint32_t hash = hash_of(key, size);
	unsigned int *place = NULL;

	for (unsigned int i = 0; i < MOST_PLACES; i++) {
		const struct alike_group *group;

		place = &alike->table[(hash + i) & (alike->places - 1)];
		if (!*place)
			break;
		group = &alike->groups[*place - 1];
		if (group->len == size &&
		    !memcmp(alike->keys.bytes + group->at, key, size)) {
			alike->keys.len = at;
			return *place - 1;
		}
	}
	if (alike->count == alike->room) {
		alike->room = alike->room ? 2 * alike->room : 64;
		alike->groups = must(reallocarray(alike->groups, alike->room,
						  sizeof(*alike->groups)));
	}
	alike->groups[alike->count++] = (struct alike_group){ at, size };
	*place = alike->count;
	return alike->count - 1;
}
