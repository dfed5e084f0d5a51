/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A directory with names of two origins: half of them are in one main reading, half in
 * another. The two readings are unknown, so all pairs are considered, each with its
 * probability. The evidence of one name for a pair counts for the others. bad_dir.c
 * calls this.
 */
#ifndef UTF8VAL_GUESS_PAIR_H
#define UTF8VAL_GUESS_PAIR_H

#include "guess/pool.h"

/* so many names of a directory are enough to tell which two meet */
#define PAIR_NAMES 48

struct pair_sum;

/* Begin, for a directory that the view is of; to be freed. */
struct pair_sum *pair_new(const struct pool_view *view);
void pair_free(struct pair_sum *sum);

/* Add the costs that model_read() found for one of the first PAIR_NAMES names. */
void pair_add(struct pair_sum *sum, const uint8_t costs[static MODEL_READINGS]);

/* All are added: how probable is it that two charsets meet, not one is there? */
float pair_end(struct pair_sum *sum);

/**
 * pair_decide() - in which charset is a name?
 * @sum: of its directory
 * @costs: the name's
 * @counted: is it among those that were added?
 * @shares: for each charset how probable it is; 0 is none of them
 */
void pair_decide(const struct pair_sum *sum,
		 const uint8_t costs[static MODEL_READINGS], bool counted,
		 float shares[static MODEL_CHARSETS]);

#endif /* UTF8VAL_GUESS_PAIR_H */
