/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The evidence of the names of a directory, and the evidence of all directories for
 * one. pool.c calls this.
 */
#ifndef UTF8VAL_GUESS_POOL_TREE_H
#define UTF8VAL_GUESS_POOL_TREE_H

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

#endif /* UTF8VAL_GUESS_POOL_TREE_H */
