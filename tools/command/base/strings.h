/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Memory for millions of small strings, and a hash table of them, for fix, scan and
 * undo. A user who chooses the strings cannot slow the table down, because each run has
 * its own key for the hash.
 */
#ifndef UTF8VAL_BASE_STRINGS_H
#define UTF8VAL_BASE_STRINGS_H

#include <stddef.h>
#include <stdint.h>

/* Memory that is given away in small pieces, and freed in one. All zeros is none. */
struct arena {
	struct arena_chunk *chunk;	/* the last one */
};

/* Room for a string of so many bytes, which arena_take() gives away. */
char *arena_room(struct arena *arena, size_t len);
void arena_take(struct arena *arena, size_t len);

/* A copy of so many bytes, with a NUL after them. */
char *arena_copy(struct arena *arena, const void *bytes, size_t len);

/* Take all strings back; the memory of the last ones is used again. */
void arena_reset(struct arena *arena);
void arena_free(struct arena *arena);

/* All zeros is an empty table. */
struct strings {
	struct string_entry {
		const char *string;	/* the caller's */
		uint32_t hash;
		unsigned int value;	/* the caller's; 0 at first */
	} *entries;			/* in the order in which they were added */
	size_t count, room;
	unsigned int *places;		/* numbers of entries, from 1 on; 0: none */
	size_t size;			/* how many places, a power of two */
};

/**
 * strings_add() - find a string, or add it
 * @strings: the table
 * @string: kept by its address when it is new
 *
 * Return: its number among the entries: what @strings->count was when it is new.
 */
size_t strings_add(struct strings *strings, const char *string);

/* The same, but SIZE_MAX where there is none. */
size_t strings_find(const struct strings *strings, const char *string);

/* Empty the table; little memory is kept for its next strings. */
void strings_reset(struct strings *strings);
void strings_free(struct strings *strings);

#endif /* UTF8VAL_BASE_STRINGS_H */
