// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Names that a walk meets and finds bad, by directory. After the walk, what all
 * directories tell is put together, and each name is decided. Directories are taken in
 * their order by as many threads as there are processors; what they write comes in that
 * order, too.
 */
#include "scan/bad.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/interrupt.h"
#include "scan/bad_dir.h"
#include "scan/mixed.h"
#include "utf8val.h"

/* output kept before it is written */
#define OUT_SIZE 32768
/* names that are handed over at a time, when nothing is learnt from them */
#define BATCH_NAMES 4096
/* names that a thread takes at a time, about */
#define BLOCK_NAMES 512
/* and directories at most */
#define BLOCK_DIRS 256
/* threads at most */
#define DECIDERS 16

/* The bad names of the directory that one thread reads. */
struct collector {
	struct guesser *guesser;
	struct alike alike;
	struct arena *bytes;		/* of names */
	/* of the directory that is being read */
	struct found_name *names;
	size_t count, room;
	struct bad_place place;
	struct text out;
};

static struct collector *collector_of(struct walk_visit *visit)
{
	struct bad_user *user = visit->walk->data;
	struct collector *collector = visit->thread_data;

	if (collector)
		return collector;
	collector = must(calloc(1, sizeof(*collector)));
	collector->guesser = guesser_new();
	collector->bytes = must(calloc(1, sizeof(*collector->bytes)));
	visit->thread_data = collector;
	/* where guesses are made, the names outlive the thread */
	pthread_mutex_lock(&user->lock);
	*array_next(user->bytes, user->bytes_count, user->bytes_room) =
		collector->bytes;
	pthread_mutex_unlock(&user->lock);
	return collector;
}

/* Hand over what has been read of a directory. */
static void give_all(struct walk_visit *visit, struct collector *collector)
{
	struct bad_user *user = visit->walk->data;

	collector->place.made = false;
	atomic_fetch_add(&user->progress.bad, collector->count);
	for (size_t i = 0; i < collector->count; i++) {
		const struct found_name *found = &collector->names[i];
		struct bad_name bad = {
			.name = found->name,
			.len = found->len,
			.guess = { .kind = found->kind, .sure = found->sure },
			.place = &collector->place,
		};

		user->found(visit, collector->guesser, &bad, &collector->out);
		if (collector->out.len >= OUT_SIZE) {
			progress_emit(&user->progress, &collector->out);
			collector->out.len = 0;
		}
	}
	if (collector->out.len)
		progress_emit(&user->progress, &collector->out);
	collector->out.len = 0;
	collector->count = 0;
	if (!user->keep)
		arena_reset(collector->bytes);
}

bool bad_is(const struct bad_user *user, const char *name, size_t len)
{
	return !utf8val_valid(name, len) ||
	       rules_broken(&user->rules, name, len) != GUESS_NONE;
}

void bad_entry(struct walk_visit *visit, const char *name, size_t len)
{
	const struct bad_user *user = visit->walk->data;
	struct collector *collector;
	enum guess_kind kind = GUESS_NONE;

	if (utf8val_valid(name, len)) {
		kind = rules_broken(&user->rules, name, len);
		if (kind == GUESS_NONE)
			return;
	}
	collector = collector_of(visit);
	*array_next(collector->names, collector->count, collector->room) =
		(struct found_name){
			.name = arena_copy(collector->bytes, name, len),
			.len = (uint16_t)len, .kind = (unsigned char)kind,
			.sure = kind == GUESS_TWICE || kind == GUESS_MISREAD ?
					GUESS_LIKELY : GUESS_CERTAIN };
	if (user->no_guess && collector->count == BATCH_NAMES)
		give_all(visit, collector);
}

void bad_leave(struct walk_visit *visit)
{
	struct collector *collector = visit->thread_data;
	struct bad_user *user = visit->walk->data;
	struct bad_dir *dir;

	if (!collector || !collector->count)
		return;
	if (user->no_guess) {
		give_all(visit, collector);
		return;
	}
	dir = bad_learn(collector->guesser, visit->dir, collector->names,
			collector->count, &collector->alike);
	collector->count = 0;
	pthread_mutex_lock(&user->lock);
	*array_next(user->dirs, user->count, user->room) = dir;
	pthread_mutex_unlock(&user->lock);
}

/* By a guess: nothing where a part is UTF-8 already, perhaps. */
static bool convert(struct guesser *guesser, const struct bad_name *bad, struct text *to)
{
	switch (mixed_convert(guesser, &bad->guess, bad->name, bad->len, to)) {
	case MIXED_KEPT:
		return true;
	case MIXED_DOUBT:
		return false;
	case MIXED_NOT:
		break;
	}
	return guess_convert(guesser, &bad->guess, bad->name, bad->len, to);
}

bool bad_convert(const struct bad_user *user, struct guesser *guesser,
		 const struct bad_name *bad, struct text *to)
{
	text_auto good = { 0 };

	if (rules_is_one(bad->guess.kind)) {
		if (rules_lists_only(bad->guess.kind))
			return false;
		rules_apply(&user->rules, bad->name, bad->len, to);
		return true;
	}
	if (!rules_any(&user->rules))
		return convert(guesser, bad, to);
	if (!convert(guesser, bad, &good))
		return false;
	rules_apply(&user->rules, good.bytes, good.len, to);
	return true;
}

void bad_place_free(struct bad_place *place)
{
	text_free(&place->path);
	text_free(&place->shown);
}

void bad_tick(struct walk *walk)
{
	struct bad_user *user = walk->data;

	progress_tick(&user->progress, walk);
}

void bad_thread_end(void *thread_data)
{
	struct collector *collector = thread_data;

	if (!collector)
		return;
	guesser_free(collector->guesser);
	alike_free(&collector->alike);
	bad_place_free(&collector->place);
	text_free(&collector->out);
	free(collector->names);
	free(collector);
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
static size_t take_block(struct decider *decider, size_t *end, unsigned long long *number)
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

/* What is written of a block, when those before it have been written. */
struct block_output {
	struct bad_output output;	/* first: the callback has no other address */
	struct decider *decider;
	unsigned long long number;
};

static void write_output(struct bad_output *output)
{
	struct block_output *block = (struct block_output *)output;
	struct decider *decider = block->decider;
	struct bad_user *user = decider->walk->data;

	pthread_mutex_lock(&decider->lock);
	while (decider->written != block->number)
		pthread_cond_wait(&decider->turn, &decider->lock);
	pthread_mutex_unlock(&decider->lock);
	if (output->text.len)
		progress_emit(&user->progress, &output->text);
	output->text.len = 0;
}

static void end_block(struct block_output *block)
{
	struct decider *decider = block->decider;

	write_output(&block->output);
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
	struct bad_place place = { 0 };
	struct block_output block = { .output.full = write_output,
				      .decider = decider };
	size_t end;

	for (;;) {
		size_t begin = take_block(decider, &end, &block.number);

		for (size_t i = begin; i < end; i++) {
			struct bad_dir *dir = user->dirs[i];

			if (!interrupted)
				bad_decide(decider->walk, guesser,
					   decider->tree, dir, &place,
					   &block.output);
			walk_unref(dir->dir);
			free(dir);
		}
		end_block(&block);
		if (begin == end)
			break;
	}
	bad_place_free(&place);
	text_free(&block.output.text);
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
		qsort(user->dirs, user->count, sizeof(struct bad_dir *), compare_dirs);
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
	user->dirs = NULL;
	user->count = 0;
	user->room = 0;
	if (user->keep)
		return;
	for (size_t i = 0; i < user->bytes_count; i++) {
		arena_free(user->bytes[i]);
		free(user->bytes[i]);
	}
	free(user->bytes);
	user->bytes = NULL;
	user->bytes_count = 0;
	user->bytes_room = 0;
}
