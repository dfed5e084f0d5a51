/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Input between pages that cannot be read, and threads that share the work. host.c and
 * texts.c use this.
 */
#ifndef UTF8VAL_TESTS_GUARDED_H
#define UTF8VAL_TESTS_GUARDED_H

#include <pthread.h>

#include "checks.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define LONGEST 300	/* an input with the text around it, and what is told of one */

/*
 * Input that ends at the end of high, or begins at the beginning of low,
 * touches a page that cannot be read.
 */
struct arena {
	uint8_t *low;
	uint8_t *high;
};

/*
 * One of the threads that share a check, one thread for each processor. All threads
 * make the same strings in the same order, and each thread checks only its own. The set
 * of checked strings therefore does not depend on the number of threads.
 */
struct run {
	pthread_t thread;
	unsigned int number, threads;
	unsigned int turn;
	unsigned long long strings;	/* made so far; all threads count the same */
	bool (*check)(struct run *run);
	bool passed;
	struct arena arena;
	uint8_t room[6 * LONGEST + 8];
	struct utf8val_failure failure;
	uint8_t input[LONGEST];		/* the beginning of the input that failed */
	size_t input_len;
};

struct guarded_check {
	const char *name;
	bool (*check)(struct run *run);
};

/* Are there to be more strings, for minutes? */
extern bool exhaustive;

extern const struct guarded_check text_checks[];
extern const size_t text_check_count;

/* Does this thread check the input that comes now, which counts as that many strings? */
bool is_mine(struct run *run, unsigned int strings);

/* Keep the input that failed. Returns: false. */
bool wrong(struct run *run, const uint8_t *s, size_t len);

/*
 * A generator of the same numbers everywhere: xorshift64* by Vigna, with a seed for
 * each string. A thread therefore need not make the strings of the others.
 */
uint64_t random_seed(unsigned int string);
uint64_t random_next(uint64_t *state);

#endif /* UTF8VAL_TESTS_GUARDED_H */
