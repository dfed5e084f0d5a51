/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The state of a fix while a walk finds names, and the choice of a new name for each.
 * fix.c calls this.
 */
#ifndef UTF8VAL_FIX_CHOOSE_H
#define UTF8VAL_FIX_CHOOSE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "fix/link.h"
#include "fix/plan.h"
#include "fix/rename.h"
#include "scan/bad.h"
#include "scan/hint.h"

enum { FIX_LEAVE, FIX_REPLACE, FIX_ESCAPE };

struct fix {
	struct bad_user user;	/* first: walk.data points here */
	struct renamer renamer;
	struct guess from;	/* --from; GUESS_NONE: not given */
	bool guess;
	const char *guessed;	/* act on guesses at this charset only; or NULL */
	enum guess_sure sure;	/* guesses from here on are acted on */
	bool sure_given;
	unsigned int rest;	/* what no charset was found for */

	pthread_mutex_t lock;
	struct requests requests;
	const char *last_way;	/* the last text of a .how that is no constant */
	struct hint hint;	/* of names that no guess was sure enough for */
	struct links links;
	const char *plan_path;	/* --plan, or NULL */
	struct plan *plan;
};

/* The callback of struct bad_user: choose a new name for a bad name, and keep both. */
void fix_found(struct walk_visit *visit, struct guesser *guesser,
	       const struct bad_name *bad, struct text *out);

/* An entry that the plan may have a new name for. */
void fix_find_planned(struct walk_visit *visit, const char *name, size_t len);

#endif /* UTF8VAL_FIX_CHOOSE_H */
