/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The evidence of names together. Names of one directory were mostly written in one
 * charset. The evidence of each is combined, first in a directory, then in the whole
 * tree. Then each name is decided by its own evidence and that of the others. bad.c,
 * bad_dir.c and pair.c call this.
 */
#ifndef UTF8VAL_GUESS_POOL_H
#define UTF8VAL_GUESS_POOL_H

#include "guess/model.h"

/* how probable a name is in neither the main reading nor its charset */
#define POOL_ANYTHING 0.005f

/* The names of a directory, while they are put together. */
struct pool_sum {
	double product[MODEL_READINGS];
	unsigned int names;
};

/* The evidence of the names of a directory. */
struct pool_dir {
	uint8_t likely[MODEL_READINGS];	/* if mainly this reading, in a byte */
	unsigned int names;
	/* the most probable main reading, and the evidence of its common letters */
	unsigned int lead;
	int common;
	const float *said;	/* what the tree was told by it; or NULL */
};

/* The evidence of the names of all directories. */
struct pool_tree {
	float weight[MODEL_READINGS];
	int64_t common[MODEL_READINGS];	/* sums of the directories' */
	float *said;
};

/* How probable each reading is for a directory's names. */
struct pool_view {
	float share[MODEL_READINGS];	/* by what the others tell */
	float main[MODEL_READINGS];	/* to be the directory's main one */
	unsigned int lead;		/* the most probable main one */
	uint64_t open;			/* charsets that it may yet be */
	int64_t common;		/* of other directories with the same lead */
};

/* so many names of a directory are enough to tell what most of it is */
#define POOL_NAMES 32

void pool_begin(struct pool_sum *sum);

/* Add what model_read() says of a name. */
void pool_add(struct pool_sum *sum, const uint8_t costs[static MODEL_READINGS]);

/* Is it clear enough by now what most of the names are? */
bool pool_is_clear(const struct pool_sum *sum);

/* When all names have been added that need be: what the directory tells. */
void pool_end(const struct pool_sum *sum, struct pool_dir *dir);

/**
 * pool_tree() - put together what directories tell
 * @tree: what comes of it; to be given to pool_free()
 * @dirs: the directories
 * @count: how many
 */
void pool_tree(struct pool_tree *tree, struct pool_dir *const *dirs, size_t count);

void pool_free(struct pool_tree *tree);

/* The prior probabilities for the names in a directory. */
void pool_view(struct pool_view *view, const struct pool_tree *tree,
	       const struct pool_dir *dir);

/*
 * Is a name what is to be expected, so that no other reading need be looked at?
 * Then it is in the lead's charset, or in one that makes the same of it.
 */
bool pool_follows(const struct pool_view *view, const uint8_t *name, size_t len);

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
