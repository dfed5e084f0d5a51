// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * After the walk: what all directories tell is put together, and each name is
 * decided. Directories are taken in their order by as many threads as there are
 * processors; what they write comes in that order, too.
 */
#include "scan/bad.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "scan/bad_dir.h"

/* names that a thread takes at a time, about */
#define BLOCK_NAMES 512
/* and directories at most */
#define BLOCK_DIRS 256
/* threads at most */
#define DECIDERS 16

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
