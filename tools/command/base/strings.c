// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * An arena for many strings, and a hash table that finds them. fix, scan and undo keep
 * names in them.
 */
#include "base/strings.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/array.h"
#include "base/text.h"

#define FIRST_CHUNK 4096
#define MOST_CHUNK (1 << 20)
#define FIRST_PLACES 64
/* more places than this are not kept for the next strings */
#define KEPT_PLACES 4096

struct arena_chunk {
	struct arena_chunk *before;
	size_t used, size;
	char bytes[];
};

void *array_more(void *items, size_t size, size_t *room)
{
	*room = *room ? 2 * *room : 16;
	return must(reallocarray(items, *room, size));
}

char *arena_room(struct arena *arena, size_t len)
{
	struct arena_chunk *chunk = arena->chunk;

	if (!chunk || chunk->size - chunk->used < len) {
		size_t size = chunk ? 2 * chunk->size : FIRST_CHUNK;
		struct arena_chunk *before = chunk;

		if (size > MOST_CHUNK)
			size = MOST_CHUNK;
		if (size < len)
			size = len;
		chunk = must(malloc(sizeof(*chunk) + size));
		*chunk = (struct arena_chunk){ .before = before, .size = size };
		arena->chunk = chunk;
	}
	return chunk->bytes + chunk->used;
}

void arena_take(struct arena *arena, size_t len)
{
	arena->chunk->used += len;
}

char *arena_copy(struct arena *arena, const void *bytes, size_t len)
{
	char *copy = arena_room(arena, len + 1);

	memcpy(copy, bytes, len);
	copy[len] = '\0';
	arena_take(arena, len + 1);
	return copy;
}

static void free_chunks(struct arena_chunk *chunk)
{
	while (chunk) {
		struct arena_chunk *before = chunk->before;

		free(chunk);
		chunk = before;
	}
}

void arena_reset(struct arena *arena)
{
	if (!arena->chunk)
		return;
	free_chunks(arena->chunk->before);
	arena->chunk->before = NULL;
	arena->chunk->used = 0;
}

void arena_free(struct arena *arena)
{
	free_chunks(arena->chunk);
	arena->chunk = NULL;
}

/* SipHash-1-3 by Aumasson and Bernstein, with 128 bits of key. */
static uint64_t key[2];

static void make_key(void)
{
	/* before the kernel has random numbers, the time must do */
	if (getrandom(key, sizeof(key), GRND_NONBLOCK) != sizeof(key))
		key[0] ^= (uint64_t)time(NULL);
}

static inline uint64_t rotate(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void sip_round(uint64_t v[static 4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] = rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] = rotate(v[2], 32);
}

static uint32_t hash_of(const char *string)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	size_t len = strlen(string);
	uint64_t v[4], word = 0, last = (uint64_t)len << 56;

	pthread_once(&once, make_key);
	v[0] = key[0] ^ 0x736F6D6570736575u;
	v[1] = key[1] ^ 0x646F72616E646F6Du;
	v[2] = key[0] ^ 0x6C7967656E657261u;
	v[3] = key[1] ^ 0x7465646279746573u;
	for (; len >= sizeof(word); string += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, string, sizeof(word));
		v[3] ^= word;
		sip_round(v);
		v[0] ^= word;
	}
	word = 0;
	memcpy(&word, string, len);
	last |= word;
	v[3] ^= last;
	sip_round(v);
	v[0] ^= last;
	v[2] ^= 0xFF;
	for (int i = 0; i < 3; i++)
		sip_round(v);
	return (uint32_t)(v[0] ^ v[1] ^ v[2] ^ v[3]);
}

/* Where a string is, or would be. There are more places than strings. */
static unsigned int *place_of(const struct strings *strings, const char *string,
			      uint32_t hash)
{
	for (size_t i = hash;; i++) {
		unsigned int *place = &strings->places[i & (strings->size - 1)];
		const struct string_entry *entry = strings->entries;

		if (!*place)
			return place;
		entry += *place - 1;
		if (entry->hash == hash && !strcmp(entry->string, string))
			return place;
	}
}

static void more_places(struct strings *strings)
{
	strings->size = strings->size ? 2 * strings->size : FIRST_PLACES;
	free(strings->places);
	strings->places = must(calloc(strings->size, sizeof(*strings->places)));
	for (size_t i = 0; i < strings->count; i++) {
		const struct string_entry *entry = &strings->entries[i];

		*place_of(strings, entry->string, entry->hash) = (unsigned int)i + 1;
	}
}

size_t strings_add(struct strings *strings, const char *string)
{
	uint32_t hash = hash_of(string);
	unsigned int *place;

	/* three of four places are taken at most */
	if (strings->count >= strings->size / 4 * 3)
		more_places(strings);
	place = place_of(strings, string, hash);
	if (*place)
		return *place - 1;
	*array_next(strings->entries, strings->count, strings->room) =
		(struct string_entry){ .string = string, .hash = hash };
	*place = (unsigned int)strings->count;
	return strings->count - 1;
}

size_t strings_find(const struct strings *strings, const char *string)
{
	const unsigned int *place;

	if (!strings->count)
		return SIZE_MAX;
	place = place_of(strings, string, hash_of(string));
	return *place ? *place - 1 : SIZE_MAX;
}

void strings_reset(struct strings *strings)
{
	if (strings->size > KEPT_PLACES)
		strings_free(strings);
	else if (strings->count)
		memset(strings->places, 0, strings->size * sizeof(*strings->places));
	strings->count = 0;
}

void strings_free(struct strings *strings)
{
	free(strings->entries);
	free(strings->places);
	*strings = (struct strings){ 0 };
}
