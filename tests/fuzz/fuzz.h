/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The common part of the fuzz targets. Each target is one file with one function for
 * libFuzzer; the expected results come from tests/oracle.c. Every input is copied to an
 * allocation of exactly its size, so that AddressSanitizer sees a read of a single byte
 * outside.
 *
 * Parameters, such as where to cut, are the last bytes of the input. So the bytes
 * before the parameters stay text, which targets can exchange with each other.
 */
#ifndef UTF8VAL_TESTS_FUZZ_H
#define UTF8VAL_TESTS_FUZZ_H

#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../oracle.h"

/* libFuzzer keeps the input of a run that aborts. */
#define REQUIRE(condition) do {						\
	if (!(condition)) {						\
		fprintf(stderr, "%s:%d: not true: %s\n", __FILE__,	\
			__LINE__, #condition);				\
		abort();						\
	}								\
} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline bool same_result(struct utf8val_result a, struct utf8val_result b)
{
	return a.valid == b.valid && a.bad == b.bad && a.reason == b.reason;
}

/* Room for exactly that many bytes; the caller frees it. */
static inline uint8_t *exactly(size_t size)
{
	uint8_t *room = malloc(size ? size : 1);

	REQUIRE(room);
	/* malloc() needs a size above 0, so an empty room is a byte out of bounds */
	if (!size)
		ASAN_POISON_MEMORY_REGION(room, 1);
	return room;
}

/* A copy with nothing around it; the caller frees it. */
static inline uint8_t *exact_copy(const uint8_t *data, size_t size)
{
	uint8_t *copy = exactly(size);

	if (size)
		memcpy(copy, data, size);
	return copy;
}

/*
 * Take the last count bytes (at most 4) off the input as a number; a shorter
 * input gives all its bytes.
 */
static inline uint32_t take_number(const uint8_t *data, size_t *size, size_t count)
{
	uint32_t number = 0;

	while (count-- && *size)
		number = number << 8 | data[--*size];
	return number;
}

#endif /* UTF8VAL_TESTS_FUZZ_H */
