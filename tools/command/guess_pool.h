/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Names that stand together were mostly written in one charset. What each of
 * them tells is put together, first in a directory, then in the whole tree; then
 * each name is decided by what it tells itself and what the others tell.
 */
#ifndef UTF8VAL_GUESS_POOL_H
#define UTF8VAL_GUESS_POOL_H

#include "guess_model.h"

/* so many names of a directory are enough to tell what most of it is */
#define POOL_NAMES 32

/* how probable a name is in neither the main reading nor its charset */
#define POOL_ANYTHING 0.005f

/* The names of a directory, while they are put together. */
struct pool_sum {
	double product[MODEL_READINGS];
	unsigned int names;
};

/* What the names of a directory tell. */
struct pool_dir {
	uint8_t likely[MODEL_READINGS];	/* if mainly this reading, in a byte */
	unsigned int names;
	const float *said;	/* what the tree was told by it; or NULL */
};

/* What the names of all directories tell. */
struct pool_tree {
	float weight[MODEL_READINGS];
	float *said;
};

/* How probable each reading is for a directory's names. */
struct pool_view {
	float share[MODEL_READINGS];	/* by what the others tell */
	float main[MODEL_READINGS];	/* to be the directory's main one */
	float expected[MODEL_CHARSETS];	/* of a name that is like no other */
	unsigned int lead;		/* the most probable main one */
	uint64_t open;			/* charsets that it may yet be */
};

void pool_begin(struct pool_sum *sum);

/* Add what model_costs() says of a name. */
void pool_add(struct pool_sum *sum, const uint8_t costs[static MODEL_READINGS]);

/* Is it clear enough by now what most of the names are? */
bool pool_is_clear(const struct pool_sum *sum);

void pool_end(const struct pool_sum *sum, struct pool_dir *dir);

/**
 * pool_tree() - put together what directories tell
 * @tree: what comes of it; to be given to pool_free()
 * @dirs: the directories
 * @count: how many
 */
void pool_tree(struct pool_tree *tree, struct pool_dir *const *dirs,
	       size_t count);

void pool_free(struct pool_tree *tree);

/* What is to be expected of the names in a directory. */
void pool_view(struct pool_view *view, const struct pool_tree *tree,
	       const struct pool_dir *dir);

/*
 * Is a name what is to be expected, so that no other reading need be looked at?
 * Then it is in the lead's charset, or in one that makes the same of it.
 */
bool pool_follows(const struct pool_view *view, const uint8_t *name,
		  size_t len);

/**
 * pool_decide() - in which charset is a name?
 * @view: of its directory
 * @costs: the name's
 * @counted: is the name among those that pool_add() was told of?
 * @shares: for each charset how probable it is; 0 is none of them
 */
void pool_decide(const struct pool_view *view,
		 const uint8_t costs[static MODEL_READINGS], bool counted,
		 float shares[static MODEL_CHARSETS]);

/**
 * pool_fit() - how well does a name suit each reading as a directory's main one?
 * @view: of the directory
 * @costs: the name's
 * @fit: by reading: 1 is as well as all of them together
 * @anything: how probable each charset is, whatever the main one
 */
void pool_fit(const struct pool_view *view,
	      const uint8_t costs[static MODEL_READINGS],
	      float fit[static MODEL_READINGS],
	      float anything[static MODEL_CHARSETS]);

/**
 * pool_mix() - take the other names of a directory into account once more
 * @view: of the directory
 * @found: what pool_decide() has said of all its names, added up
 * @count: how many names those were
 * @shares: of one of them; changed
 * @name: that one
 * @len: its bytes
 *
 * Where some names are certainly not in the main charset, others that say
 * little may not be either.
 */
void pool_mix(const struct pool_view *view,
	      const float found[static MODEL_CHARSETS], size_t count,
	      float shares[static MODEL_CHARSETS], const void *name,
	      size_t len);

/* Are there names in another charset than most? */
bool pool_is_mixed(const float found[static MODEL_CHARSETS], size_t count);

#endif /* UTF8VAL_GUESS_POOL_H */
