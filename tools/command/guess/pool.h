/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The evidence of names together. Names of one directory were mostly written in one
 * charset. The evidence of each is combined, first in a directory, then in the whole
 * tree. Then each name is decided by its own evidence and that of the others. bad.c,
 * bad_dir.c and pair.c call this.
 */
#ifndef UTF8VAL_GUESS_POOL_H
#define UTF8VAL_GUESS_POOL_H

#include "guess/pool_tree.h"

/* so many names of a directory are enough to tell what most of it is */
#define POOL_NAMES 32

void pool_begin(struct pool_sum *sum);

/* Add what model_read() says of a name. */
void pool_add(struct pool_sum *sum, const uint8_t costs[static MODEL_READINGS]);

/* Is it clear enough by now what most of the names are? */
bool pool_is_clear(const struct pool_sum *sum);

/**
 * pool_decide() - in which charset is a name?
 * @view: of its directory
 * @costs: the name's
 * @told: what pool_add() was told of the name, or NULL
 * @shares: for each charset how probable it is; 0 is none of them
 */
void pool_decide(const struct pool_view *view,
		 const uint8_t costs[static MODEL_READINGS], const uint8_t *told,
		 float shares[static MODEL_CHARSETS]);

/**
 * pool_fit() - how well does a name suit each reading as a directory's main one?
 * @view: of the directory
 * @costs: the name's
 * @fit: by reading: 1 is as well as all of them together
 * @anything: how probable each charset is, whatever the main one
 */
void pool_fit(const struct pool_view *view, const uint8_t costs[static MODEL_READINGS],
	      float fit[static MODEL_READINGS],
	      float anything[static MODEL_CHARSETS]);

/* Are there names in another charset than most? */
bool pool_is_mixed(const float found[static MODEL_CHARSETS], size_t count);

#endif /* UTF8VAL_GUESS_POOL_H */
