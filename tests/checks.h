/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The tests that host.c runs, and firmware on each board. They need only
 * the library under test, no C library and no allocation. A runner walks both arrays,
 * makes one test point of each entry and prints their counts, which must be the same
 * everywhere.
 */
#ifndef UTF8VAL_TESTS_CHECKS_H
#define UTF8VAL_TESTS_CHECKS_H

#include "vectors.h"

/*
 * A failed expectation, for the runner to print with all numbers in decimal.
 * Values may be code points, for which a size_t of 16 bits is too narrow.
 */
struct utf8val_failure {
	const char *what;	/* a constant string: the expectation */
	size_t at;		/* the input: its index, offset or length */
	unsigned long want;
	unsigned long got;
};

/*
 * The size of the room to build inputs in. The runner provides the room, whose
 * contents do not matter.
 */
#define UTF8VAL_SCRATCH 4160

/* The longest vector: the scratch has room for a vector and twice its repaired form. */
#define UTF8VAL_VECTOR_MAX 256

/* A named check that builds its own inputs. */
struct utf8val_case {
	const char *name;
	/* Returns true when all is well; otherwise *failure is filled in. */
	bool (*run)(uint8_t scratch[UTF8VAL_SCRATCH], struct utf8val_failure *failure);
};

extern const struct utf8val_case utf8val_cases[];
extern const size_t utf8val_case_count;

/* All alignments that an engine tells apart; fewer for a processor of 8 bits. */
#ifndef UTF8VAL_ALIGNMENTS
#define UTF8VAL_ALIGNMENTS 16
#endif

/* Every function of the core against one vector, at each of these alignments. */
bool utf8val_check_vector(const struct utf8val_vector *vector,
			  uint8_t scratch[UTF8VAL_SCRATCH],
			  struct utf8val_failure *failure);

/*
 * Check every function of the core against the oracle, on these bytes where
 * they lie; room has 6 * len + 8 bytes. The numbers in *failure are offsets
 * into the bytes and values of them.
 */
bool utf8val_check_bytes(const uint8_t *bytes, size_t len, uint8_t *room,
			 struct utf8val_failure *failure);

/*
 * Check the functions that take the whole input and answer for its first error,
 * which the caller knows.
 */
bool utf8val_check_whole(const uint8_t *s, size_t len, struct utf8val_result want,
			 struct utf8val_failure *failure);

/*
 * Check the functions that take one sequence against the oracle, on each sequence
 * of the input, forwards and backwards.
 */
bool utf8val_check_units(const uint8_t *s, size_t len, struct utf8val_failure *failure);

/*
 * Check count and repair against the oracle, once with as much space as the result
 * needs, and once with that many bytes less. room has 6 * len + 8 bytes.
 */
bool utf8val_check_repair(const uint8_t *s, size_t len, size_t less,
			  uint8_t *room, struct utf8val_failure *failure);

/* The first and last byte of each class that the grammar or a reason knows. */
extern const uint8_t utf8val_edges[];
extern const size_t utf8val_edge_count;

#endif /* UTF8VAL_TESTS_CHECKS_H */
