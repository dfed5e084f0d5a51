// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * After the walk: what all directories tell is put together, and each name is
 * decided. Directories are taken in their order by as many threads as there are
 * processors; what they write comes in that order, too.
 */
#include "bad_decide.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "guess_pair.h"
#include "guess_pool.h"

/* names that a thread takes at a time, about */
#define BLOCK_NAMES 512
/* and directories at most */
#define BLOCK_DIRS 256
/* threads at most */
#define DECIDERS 16

/* The ill-formed names of a directory. */
struct bad_dir {
	struct walk_dir *dir;
	struct pool_dir pool;
	char *names;
	size_t count;
	struct bad_held held[];
};

struct bad_dir *bad_learn(struct guesser *guesser, struct walk_dir *dir,
			  const struct bad_held *held, size_t count,
			  const struct text *names)
{
	/* in one piece: there may be many */
	struct bad_dir *new = must(malloc(sizeof(*new) + count *
					  sizeof(*held) + names->len));
	uint8_t costs[MODEL_READINGS];
	struct pool_sum sum;
	bool clear = false;

	new->dir = walk_ref(dir);
	new->pool = (struct pool_dir){ 0 };
	new->count = count;
	memcpy(new->held, held, count * sizeof(*held));
	new->names = (char *)&new->held[count];
	memcpy(new->names, names->bytes, names->len);
	pool_begin(&sum);
	for (size_t i = 0; i < count; i++) {
		const uint8_t *name = (uint8_t *)new->names + held[i].at;
		struct guess guess;

		/* it is good UTF-8 */
		if (held[i].kind != GUESS_NONE)
			continue;
		guess = guess_form(guesser, name, held[i].len);
		new->held[i].kind = (unsigned char)guess.kind;
		new->held[i].sure = (unsigned char)guess.sure;
		if (guess.kind != GUESS_NONE || clear)
			continue;
		model_costs(name, held[i].len, costs);
		pool_add(&sum, costs);
		clear = pool_is_clear(&sum);
	}
	if (sum.names)
		pool_end(&sum, &new->pool);
	return new;
}

/* A directory being decided. */
struct deciding {
	const struct bad_dir *dir;
	struct pool_view view;
	unsigned int lead;		/* its charset */
	float found[MODEL_CHARSETS];	/* names in each, so far as known */
	size_t unknown;			/* names that no form of UTF-8 explains */
	size_t odd;			/* of these, ones that do not follow */
	size_t strange;			/* of the first, odd in any charset */
	float (*shares)[MODEL_CHARSETS];	/* of each odd one */
	struct pair_sum *pair;		/* or NULL: it has one main reading */
	size_t pair_step;		/* each so many-th name was added */
};

static void decide_one(const struct deciding *deciding, const uint8_t *name,
		       size_t len, bool counted,
		       float shares[static MODEL_CHARSETS])
{
	uint8_t costs[MODEL_READINGS];

	model_costs(name, len, costs);
	pool_decide(&deciding->view, costs, counted, shares);
}

/*
 * What the names are, each by itself at first; charsets that make the same of a
 * name are counted as one.
 */
static void decide_alone(struct deciding *deciding, struct bad_held *held)
{
	const struct bad_dir *dir = deciding->dir;
	size_t room = 0;

	for (size_t i = 0; i < dir->count; i++) {
		const uint8_t *name = (uint8_t *)dir->names + held[i].at;
		unsigned int best = 1;
		uint64_t same;
		float *share;

		if (held[i].kind != GUESS_NONE)
			continue;
		deciding->unknown++;
		held[i].follows = pool_follows(&deciding->view, name,
					       held[i].len);
		if (held[i].follows) {
			deciding->found[deciding->lead]++;
			continue;
		}
		if (deciding->odd == room) {
			room = room ? 2 * room : 8;
			deciding->shares = must(reallocarray(deciding->shares,
				room, sizeof(*deciding->shares)));
		}
		share = deciding->shares[deciding->odd++];
		decide_one(deciding, name, held[i].len,
			   deciding->unknown <= dir->pool.names, share);
		for (unsigned int c = 2; c < MODEL_CHARSETS; c++)
			best = share[c] > share[best] ? c : best;
		if (deciding->unknown <= POOL_NAMES)
			deciding->strange +=
				model_is_odd(best, name, held[i].len) ||
				model_is_strange(best, name, held[i].len);
		same = model_same(best, name, held[i].len);
		for (unsigned int c = 1; c < MODEL_CHARSETS; c++)
			deciding->found[same >> c & 1 ? best : c] += share[c];
	}
}

/*
 * Are many names odd, whatever they are read as? Then their charset is one that is
 * not known here, and the others only look as if they were in one that is.
 */
static bool is_unheard_of(const struct deciding *deciding)
{
	size_t looked_at = deciding->unknown < POOL_NAMES ? deciding->unknown :
							    POOL_NAMES;

	return deciding->strange > 1 && deciding->strange * 4 > looked_at;
}

/* The number-th of the unknown names. */
static void decide_in_pair(const struct deciding *deciding, size_t number,
			   const uint8_t *name, size_t len,
			   float shares[static MODEL_CHARSETS])
{
	uint8_t costs[MODEL_READINGS];

	model_costs(name, len, costs);
	pair_decide(deciding->pair, costs, !(number % deciding->pair_step),
		    shares);
}

/* Two readings meet: which ones? Every so many-th name is asked. */
static void find_pair(struct deciding *deciding)
{
	struct pair_sum *pair = pair_new(&deciding->view);
	const struct bad_dir *dir = deciding->dir;
	size_t unknown = 0, step = (deciding->unknown + PAIR_NAMES - 1) /
				   PAIR_NAMES;
	uint8_t costs[MODEL_READINGS];

	for (size_t i = 0; i < dir->count; i++) {
		const struct bad_held *held = &dir->held[i];

		if (held->kind != GUESS_NONE || unknown++ % step)
			continue;
		model_costs((uint8_t *)dir->names + held->at, held->len, costs);
		pair_add(pair, costs);
	}
	pair_end(pair);
	deciding->pair = pair;
	deciding->pair_step = step;
}

static void decide_dir(struct walk *walk, struct guesser *guesser,
		       const struct pool_tree *tree, struct bad_dir *dir,
		       struct text *out)
{
	struct walk_visit visit = { .walk = walk, .dir = dir->dir, .fd = -1 };
	const struct bad_user *user = walk->data;
	struct deciding deciding = { .dir = dir };
	size_t unknown = 0, odd = 0;

	if (dir->pool.names) {
		pool_view(&deciding.view, tree, &dir->pool);
		deciding.lead = model_reading[deciding.view.lead].charset;
		decide_alone(&deciding, dir->held);
		if (pool_is_mixed(deciding.found, deciding.unknown))
			find_pair(&deciding);
	}
	for (size_t i = 0; i < dir->count; i++) {
		const struct bad_held *held = &dir->held[i];
		struct bad_name bad = {
			.name = dir->names + held->at,
			.len = held->len,
			.type = held->type,
			.guess = { .kind = held->kind, .sure = held->sure },
		};
		float own[MODEL_CHARSETS], *shares = own;

		if (held->kind != GUESS_NONE) {
			user->found(&visit, guesser, &bad, out);
			continue;
		}
		if (deciding.pair) {
			decide_in_pair(&deciding, unknown++,
				       (const uint8_t *)bad.name, bad.len,
				       shares);
			bad.guess = guess_decide(guesser, shares, bad.name,
						 bad.len);
		} else if (held->follows) {
			bad.guess = guess_known(guesser, deciding.lead,
						bad.name, bad.len);
		} else {
			shares = deciding.shares[odd++];
			pool_mix(&deciding.view, deciding.found,
				 deciding.unknown, shares, bad.name, bad.len);
			bad.guess = guess_decide(guesser, shares, bad.name,
						 bad.len);
		}
		if (is_unheard_of(&deciding))
			bad.guess.sure = GUESS_POSSIBLE;
		user->found(&visit, guesser, &bad, out);
	}
	pair_free(deciding.pair);
	free(deciding.shares);
}

/* Directories are decided in blocks, which are written in turn. */
struct decider {
	struct walk *walk;
	const struct pool_tree *tree;
	pthread_mutex_t lock;
	pthread_cond_t turn;
	size_t next;			/* directory to be taken */
	unsigned long long taken;	/* blocks */
	unsigned long long written;
};

/* The next block of directories: where it begins; its end and number. */
static size_t take_block(struct decider *decider, size_t *end,
			 unsigned long long *number)
{
	const struct bad_user *user = decider->walk->data;
	size_t begin, names = 0;

	pthread_mutex_lock(&decider->lock);
	begin = decider->next;
	for (*end = begin; *end < user->count && *end - begin < BLOCK_DIRS &&
			   names < BLOCK_NAMES; ++*end)
		names += user->dirs[*end]->count;
	decider->next = *end;
	*number = decider->taken++;
	pthread_mutex_unlock(&decider->lock);
	return begin;
}

/* Write a block's output when those before it have been written. */
static void write_block(struct decider *decider, unsigned long long number,
			struct text *out)
{
	struct bad_user *user = decider->walk->data;

	pthread_mutex_lock(&decider->lock);
	while (decider->written != number)
		pthread_cond_wait(&decider->turn, &decider->lock);
	pthread_mutex_unlock(&decider->lock);
	if (out->len)
		progress_emit(&user->progress, out);
	out->len = 0;
	pthread_mutex_lock(&decider->lock);
	decider->written++;
	pthread_cond_broadcast(&decider->turn);
	pthread_mutex_unlock(&decider->lock);
}

static void *decide_blocks(void *data)
{
	struct decider *decider = data;
	struct bad_user *user = decider->walk->data;
	struct guesser *guesser = guesser_new();
	struct text out = { 0 };
	unsigned long long number;
	size_t end;

	for (;;) {
		size_t begin = take_block(decider, &end, &number);

		for (size_t i = begin; i < end; i++) {
			struct bad_dir *dir = user->dirs[i];

			if (!interrupted)
				decide_dir(decider->walk, guesser,
					   decider->tree, dir, &out);
			walk_unref(dir->dir);
			free(dir);
		}
		write_block(decider, number, &out);
		if (begin == end)
			break;
	}
	text_free(&out);
	guesser_free(guesser);
	return NULL;
}

static void decide_all(struct walk *walk, const struct pool_tree *tree)
{
	struct decider decider = { .walk = walk, .tree = tree,
				   .lock = PTHREAD_MUTEX_INITIALIZER,
				   .turn = PTHREAD_COND_INITIALIZER };
	const struct bad_user *user = walk->data;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[DECIDERS];
	unsigned int count = 0, most = 1;

	most = processors > DECIDERS ? DECIDERS :
	       processors > 1 ? (unsigned int)processors : 1;
	if (walk->threads && walk->threads < most)
		most = walk->threads;
	/* this thread is one of them; one that cannot be had is not missed */
	while (count + 1 < most && count < user->count / BLOCK_DIRS + 1 &&
	       !pthread_create(&threads[count], NULL, decide_blocks, &decider))
		count++;
	decide_blocks(&decider);
	while (count)
		pthread_join(threads[--count], NULL);
}

/* In the order of roots and paths, whatever thread was first. */
static int compare_dirs(const void *left, const void *right)
{
	const struct walk_dir *a = (*(const struct bad_dir *const *)left)->dir;
	const struct walk_dir *b = (*(const struct bad_dir *const *)right)->dir;
	const struct walk_dir *common;

	if (a != b && a->root == b->root) {
		common = walk_common(a, b);
		if (common == a || common == b)
			return common == a ? -1 : 1;
	}
	return walk_compare(a, b);
}

void bad_finish(struct walk *walk)
{
	struct bad_user *user = walk->data;
	struct pool_dir **pools;
	struct pool_tree tree;
	size_t pooled = 0;

	if (user->count) {
		pools = must(calloc(user->count, sizeof(*pools)));
		qsort(user->dirs, user->count, sizeof(struct bad_dir *),
		      compare_dirs);
		for (size_t i = 0; i < user->count; i++) {
			if (user->dirs[i]->pool.names)
				pools[pooled++] = &user->dirs[i]->pool;
		}
		pool_tree(&tree, pools, pooled);
		decide_all(walk, &tree);
		pool_free(&tree);
		free(pools);
	}
	free(user->dirs);
}
