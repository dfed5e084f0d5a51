// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "bad.h"

#include <stdlib.h>
#include <string.h>

#include "guess_pool.h"
#include "utf8val.h"

/* names handed over at a time when nothing is to be learnt from them */
#define HELD_NAMES 4096

struct held {
	size_t at;	/* in names */
	size_t len;
	unsigned char type;
	struct guess guess;	/* what UTF-8 alone tells */
	bool follows;		/* it is what the directory's lead says */
};

/* The ill-formed names of a directory. */
struct bad_dir {
	struct walk_dir *dir;
	struct text names;
	struct held *held;
	size_t count, room;
	/* of the names that no form of UTF-8 explains */
	uint8_t (*costs)[MODEL_READINGS];
	size_t unknown;
	struct pool_dir pool;
	struct pool_lead lead;
};

/* A thread's own. */
struct collector {
	struct guesser *guesser;
	struct bad_dir *dir;	/* the one being read */
};

static void free_dir(struct bad_dir *dir)
{
	walk_unref(dir->dir);
	text_free(&dir->names);
	free(dir->held);
	free(dir->costs);
	free(dir);
}

static void give(struct walk_visit *visit, struct guesser *guesser,
		 const struct bad_dir *dir, const struct held *held,
		 const struct guess *guess)
{
	const struct bad_user *user = visit->walk->data;
	struct bad_name bad = {
		.name = dir->names.bytes + held->at,
		.len = held->len,
		.type = held->type,
		.guess = *guess,
	};

	user->found(visit, guesser, &bad);
}

static void give_all(struct walk_visit *visit, struct collector *collector)
{
	struct bad_dir *dir = collector->dir;
	static const struct guess none;

	for (size_t i = 0; i < dir->count; i++)
		give(visit, collector->guesser, dir, &dir->held[i], &none);
	dir->count = 0;
	dir->names.len = 0;
}

void bad_entry(struct walk_visit *visit, const char *name, size_t len,
	       unsigned char type)
{
	struct collector *collector = visit->thread_data;
	const struct bad_user *user = visit->walk->data;
	struct bad_dir *dir;

	if (utf8val_valid(name, len))
		return;
	if (!collector) {
		collector = must(calloc(1, sizeof(*collector)));
		collector->guesser = guesser_new();
		visit->thread_data = collector;
	}
	if (!collector->dir)
		collector->dir = must(calloc(1, sizeof(*collector->dir)));
	dir = collector->dir;
	if (dir->count == dir->room) {
		dir->room = dir->room ? 2 * dir->room : 4;
		dir->held = must(reallocarray(dir->held, dir->room,
					      sizeof(*dir->held)));
	}
	dir->held[dir->count++] = (struct held){ dir->names.len, len, type,
						 { 0 }, false };
	text_add(&dir->names, name, len);
	if (user->no_guess && dir->count == HELD_NAMES)
		give_all(visit, collector);
}

static void learn(struct guesser *guesser, struct bad_dir *dir)
{
	size_t room = 0;

	for (size_t i = 0; i < dir->count; i++) {
		struct held *held = &dir->held[i];
		const char *name = dir->names.bytes + held->at;

		held->guess = guess_form(guesser, name, held->len);
		if (held->guess.kind != GUESS_NONE)
			continue;
		if (dir->unknown == POOL_NAMES && !dir->pool.names) {
			pool_dir(&dir->pool, dir->costs, POOL_NAMES);
			pool_lead(&dir->lead, &dir->pool);
		}
		held->follows = pool_follows(&dir->lead, (const uint8_t *)name,
					     held->len);
		if (held->follows)
			continue;
		if (dir->unknown == room) {
			room = room ? 2 * room : 4;
			dir->costs = must(reallocarray(dir->costs, room,
						       sizeof(*dir->costs)));
		}
		model_costs((const uint8_t *)name, held->len,
			    dir->costs[dir->unknown++]);
	}
	if (!dir->pool.names)
		pool_dir(&dir->pool, dir->costs, dir->unknown);
}

void bad_leave(struct walk_visit *visit)
{
	struct collector *collector = visit->thread_data;
	struct bad_user *user = visit->walk->data;
	struct bad_dir *dir;

	if (!collector || !collector->dir || !collector->dir->count)
		return;
	if (user->no_guess) {
		give_all(visit, collector);
		return;
	}
	dir = collector->dir;
	collector->dir = NULL;
	dir->dir = walk_ref(visit->dir);
	learn(collector->guesser, dir);
	pthread_mutex_lock(&user->lock);
	if (user->count == user->room) {
		user->room = user->room ? 2 * user->room : 64;
		user->dirs = must(reallocarray(user->dirs, user->room,
					       sizeof(struct bad_dir *)));
	}
	user->dirs[user->count++] = dir;
	pthread_mutex_unlock(&user->lock);
}

void bad_thread_end(void *thread_data)
{
	struct collector *collector = thread_data;

	if (!collector)
		return;
	guesser_free(collector->guesser);
	if (collector->dir)
		free_dir(collector->dir);
	free(collector);
}

/*
 * What the names that were read in full are, each by itself at first; charsets
 * that make the same of a name are counted as one.
 */
static void decide_unknown(const struct bad_dir *dir,
			   const struct pool_view *view,
			   float (*shares)[MODEL_CHARSETS],
			   float found[static MODEL_CHARSETS])
{
	size_t unknown = 0;

	for (size_t i = 0; i < dir->count; i++) {
		const struct held *held = &dir->held[i];
		const void *name = dir->names.bytes + held->at;
		unsigned int best = 1;
		float *share = shares[unknown];

		if (held->guess.kind != GUESS_NONE || held->follows)
			continue;
		pool_decide(view, dir->costs[unknown], unknown < POOL_NAMES,
			    share);
		unknown++;
		for (unsigned int c = 2; c < MODEL_CHARSETS; c++)
			best = share[c] > share[best] ? c : best;
		for (unsigned int c = 1; c < MODEL_CHARSETS; c++)
			found[share[c] > 0.0001f &&
			      model_same(best, c, name, held->len) ?
				      best : c] += share[c];
	}
}

static void decide_dir(struct walk *walk, struct guesser *guesser,
		       const struct pool_tree *tree, const struct bad_dir *dir)
{
	struct walk_visit visit = { .walk = walk, .dir = dir->dir, .fd = -1 };
	float (*shares)[MODEL_CHARSETS] =
		must(calloc(dir->unknown + 1, sizeof(*shares)));
	unsigned int lead = model_reading[dir->lead.reading].charset;
	uint8_t costs[MODEL_READINGS];
	float found[MODEL_CHARSETS] = { 0 };
	struct pool_view view;
	size_t unknown = 0;
	bool mixed;

	pool_view(&view, tree, &dir->pool);
	decide_unknown(dir, &view, shares, found);
	mixed = pool_is_mixed(found, dir->unknown);
	for (size_t i = 0; i < dir->count; i++) {
		const struct held *held = &dir->held[i];
		const char *name = dir->names.bytes + held->at;
		struct guess guess = held->guess;
		float *share = shares[unknown];

		if (held->follows && !mixed) {
			guess = guess_known(guesser, lead, name, held->len);
		} else if (guess.kind == GUESS_NONE) {
			if (held->follows) {
				/* the last row is nobody's */
				share = shares[dir->unknown];
				model_costs((const uint8_t *)name, held->len,
					    costs);
				pool_decide(&view, costs, false, share);
			} else {
				unknown++;
			}
			pool_mix(&view, found, dir->unknown, share, name,
				 held->len);
			guess = guess_decide(guesser, share, name, held->len);
		}
		give(&visit, guesser, dir, held, &guess);
	}
	free(shares);
}

/* In the order of their paths and roots, whatever thread was first. */
static int compare_dirs(const void *left, const void *right)
{
	const struct bad_dir *const *a = left, *const *b = right;
	struct text one = { 0 }, two = { 0 };
	int order;

	walk_path(&one, (*a)->dir, "", 1);
	walk_path(&two, (*b)->dir, "", 1);
	order = strcmp(one.bytes, two.bytes);
	text_free(&one);
	text_free(&two);
	return order ? order : ((*a)->dir->root > (*b)->dir->root) -
			       ((*a)->dir->root < (*b)->dir->root);
}

void bad_finish(struct walk *walk)
{
	struct bad_user *user = walk->data;
	struct pool_dir **pools = must(calloc(user->count + 1,
					      sizeof(*pools)));
	struct guesser *guesser;
	struct pool_tree tree;
	size_t pooled = 0;

	if (!user->count)
		goto out;
	guesser = guesser_new();
	qsort(user->dirs, user->count, sizeof(struct bad_dir *), compare_dirs);
	for (size_t i = 0; i < user->count; i++) {
		if (user->dirs[i]->unknown)
			pools[pooled++] = &user->dirs[i]->pool;
	}
	pool_tree(&tree, pools, pooled);
	for (size_t i = 0; i < user->count; i++) {
		decide_dir(walk, guesser, &tree, user->dirs[i]);
		free_dir(user->dirs[i]);
	}
	pool_free(&tree);
	guesser_free(guesser);
out:
	free(user->dirs);
	free(pools);
}
