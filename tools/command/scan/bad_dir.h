/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A directory's ill-formed names, kept until the walk is over, and what they are. */
#ifndef UTF8VAL_SCAN_BAD_DIR_H
#define UTF8VAL_SCAN_BAD_DIR_H

#include <stddef.h>

#include "guess/alike.h"
#include "guess/pool.h"
#include "scan/bad.h"

struct bad_held {
	size_t at;		/* in the directory's names */
	unsigned int len;
	unsigned int group;	/* of names that are alike, in order */
	unsigned char type;	/* DT_* */
	unsigned char kind;	/* enum guess_kind: what UTF-8 alone tells */
	unsigned char sure;	/* enum guess_sure, of that */
	bool follows;		/* it is what its directory's lead says */
};

/* The ill-formed names of a directory. */
struct bad_dir {
	struct walk_dir *dir;
	struct pool_dir pool;
	char *names;
	size_t count;
	unsigned int groups;		/* of names that are alike */
	struct bad_held held[];
};

/**
 * bad_learn() - keep a directory's names, and what they tell of its charset
 * @guesser: a thread's own
 * @dir: where they are
 * @held: each of them
 * @count: how many, at least 1
 * @names: their bytes
 * @alike: a thread's own
 */
struct bad_dir *bad_learn(struct guesser *guesser, struct walk_dir *dir,
			  const struct bad_held *held, size_t count,
			  const struct text *names, struct alike *alike);

/**
 * bad_decide() - decide what they are, and hand them over
 * @walk: what has found them
 * @guesser: a thread's own
 * @tree: what all directories tell
 * @dir: the directory
 * @place: a thread's own
 * @out: what is handed over is written here
 */
void bad_decide(struct walk *walk, struct guesser *guesser,
		const struct pool_tree *tree, struct bad_dir *dir,
		struct bad_place *place, struct text *out);

#endif /* UTF8VAL_SCAN_BAD_DIR_H */
