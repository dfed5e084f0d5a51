/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The names that bad.c keeps until the walk is over, and what they are. */
#ifndef UTF8VAL_BAD_DECIDE_H
#define UTF8VAL_BAD_DECIDE_H

#include <stddef.h>

#include "bad.h"

struct bad_held {
	size_t at;		/* in the directory's names */
	size_t len;
	unsigned char type;	/* DT_* */
	unsigned char kind;	/* enum guess_kind: what UTF-8 alone tells */
	unsigned char sure;	/* enum guess_sure, of that */
	bool follows;		/* it is what its directory's lead says */
};

/**
 * bad_learn() - keep a directory's names, and what they tell of its charset
 * @guesser: a thread's own
 * @dir: where they are
 * @held: each of them
 * @count: how many, at least 1
 * @names: their bytes
 */
struct bad_dir *bad_learn(struct guesser *guesser, struct walk_dir *dir,
			  const struct bad_held *held, size_t count,
			  const struct text *names);

#endif /* UTF8VAL_BAD_DECIDE_H */
