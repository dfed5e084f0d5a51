/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The ill-formed names of a directory, kept until the walk is over, and the decision
 * about them. bad.c calls this.
 */
#ifndef UTF8VAL_SCAN_BAD_DIR_H
#define UTF8VAL_SCAN_BAD_DIR_H

#include <stddef.h>

#include "guess/guess.h"
#include "guess/pool.h"
#include "walk/dir.h"

/* fewer names than this are little evidence for each other */
#define ENOUGH_NAMES 3

/* One bad name. There may be millions, so that no byte of it is wasted. */
struct found_name {
	const char *name;	/* ended by a NUL */
	unsigned int group;	/* of names that are alike, in order */
	uint16_t len;
	unsigned char kind;	/* enum guess_kind: what UTF-8 alone tells */
	unsigned char sure : 7;	/* enum guess_sure, of that */
	bool follows : 1;	/* it is what its directory's lead says */
};

/* The ill-formed names of a directory. */
struct bad_dir {
	struct walk_dir *dir;
	struct pool_dir pool;
	bool beside_good;		/* good names in it are more than ASCII */
	size_t count;
	unsigned int groups;		/* of names that are alike */
	struct guess *guesses;		/* of the groups, and of names that are UTF-8 in part */
	struct found_name names[];
};

/**
 * bad_learn() - keep a directory's names, and what they tell of its charset
 * @guesser: a thread's own
 * @dir: where they are
 * @names: each of them
 * @count: how many, at least 1
 * @alike: a thread's own
 */
struct bad_dir *bad_learn(struct guesser *guesser, struct walk_dir *dir,
			  const struct found_name *names, size_t count,
			  struct alike *alike);

/**
 * bad_decide() - guess the names that no guess is sure of yet
 * @guesser: a thread's own
 * @tree: what the names tell that are left in all directories
 * @dir: the directory, whose guesses are set
 *
 * Return: whether further guesses are sure. Then the next call decides the names that are
 * left, as the next run of fix would after it has renamed the others.
 */
bool bad_decide(struct guesser *guesser, const struct pool_tree *tree,
		struct bad_dir *dir);

void bad_free(struct bad_dir *dir);

#endif /* UTF8VAL_SCAN_BAD_DIR_H */
