// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The bad names that a walk meets, by directory, for scan, fix and summary. After the
 * walk, the evidence of all directories is combined, and each name is decided. As many
 * threads as there are CPUs take the directories in their order; the output is in the
 * same order.
 */
#include "scan/bad.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/interrupt.h"
#include "scan/bad_dir.h"
#include "scan/mixed.h"
#include "utf8val.h"

/* bytes of output that are kept until it is their turn to be written, about */
#define OUTPUT_MOST (1 << 18)
/* names that are handed over at a time, when nothing is learnt from them */
#define BATCH_NAMES 4096
/* names that a thread takes at a time, about */
#define BLOCK_NAMES 512
/* and directories at most */
#define BLOCK_DIRS 256
/* threads at most */
#define DECIDERS 16

/* Directories are decided, and written in turn, in blocks. */
struct decider {
	struct walk *walk;
	const struct pool_tree *tree;	/* NULL: all are decided, and only written */
	pthread_mutex_t lock;
	pthread_cond_t turn;
	size_t next;			/* directory to be taken */
	unsigned long long taken;	/* blocks */
	unsigned long long written;
	bool more;			/* further guesses are sure */
};

/* The state of a thread that passes names on, and the results. */
struct giver {
	struct guesser *guesser;
	struct bad_place place;
	struct text out;
	struct decider *decider;	/* NULL: names are written in any order */
	unsigned long long number;	/* of the block that is decided */
};

/* The bad names of the directory that one thread reads. */
struct collector {
	struct giver giver;
	struct alike alike;
	struct arena *bytes;		/* of names */
	/* of the directory that is being read */
	struct found_name *names;
	size_t count, room;
	bool beside_good;
};

static struct collector *collector_of(struct walk_visit *visit)
{
	struct bad_user *user = visit->walk->data;
	struct collector *collector = visit->thread_data;

	if (collector)
		return collector;
	collector = must(calloc(1, sizeof(*collector)));
	collector->bytes = must(calloc(1, sizeof(*collector->bytes)));
	visit->thread_data = collector;
	/* where guesses are made, the names outlive the thread */
	pthread_mutex_lock(&user->lock);
	*array_next(user->bytes, user->bytes_count, user->bytes_room) =
		collector->bytes;
	pthread_mutex_unlock(&user->lock);
	return collector;
}

/* Write what has been handed over, when the blocks before have been written. */
static void write_output(struct bad_user *user, struct giver *giver)
{
	struct decider *decider = giver->decider;

	if (decider) {
		pthread_mutex_lock(&decider->lock);
		while (decider->written != giver->number)
			pthread_cond_wait(&decider->turn, &decider->lock);
		pthread_mutex_unlock(&decider->lock);
	}
	if (giver->out.len)
		progress_emit(&user->progress, &giver->out);
	giver->out.len = 0;
}

/* Hand over names of a directory; where UTF-8 alone tells nothing, their group's guess. */
static void hand_over(struct walk_visit *visit, struct giver *giver,
		      const struct found_name *names, size_t count,
		      const struct guess *guesses)
{
	struct bad_user *user = visit->walk->data;

	giver->place.made = false;
	for (size_t i = 0; i < count; i++) {
		const struct found_name *found = &names[i];
		struct bad_name bad = {
			.name = found->name,
			.len = found->len,
			.guess = { .kind = found->kind, .sure = found->sure },
			.place = &giver->place,
		};

		if (guesses && found->kind == GUESS_NONE)
			bad.guess = guesses[found->group];
		user->found(visit, giver->guesser, &bad, &giver->out);
		if (giver->out.len >= OUTPUT_MOST)
			write_output(user, giver);
	}
}

static void giver_free(struct giver *giver)
{
	text_free(&giver->place.path);
	text_free(&giver->place.shown);
	text_free(&giver->out);
	guesser_free(giver->guesser);
}

/* Hand over what has been read of a directory. */
static void give_all(struct walk_visit *visit, struct collector *collector)
{
	struct bad_user *user = visit->walk->data;

	hand_over(visit, &collector->giver, collector->names, collector->count, NULL);
	write_output(user, &collector->giver);
	collector->count = 0;
	if (!user->keep)
		arena_reset(collector->bytes);
}

bool bad_is(const struct bad_user *user, const char *name, size_t len)
{
	return !utf8val_valid(name, len) ||
	       extra_broken(&user->extra, name, len) != GUESS_NONE;
}

void bad_entry(struct walk_visit *visit, const char *name, size_t len)
{
	struct bad_user *user = visit->walk->data;
	struct collector *collector;
	enum guess_kind kind = GUESS_NONE;

	if (utf8val_valid(name, len)) {
		kind = extra_broken(&user->extra, name, len);
		if (kind == GUESS_NONE) {
			if (!user->no_guess && !text_is_ascii(name, len))
				bad_beside_good(visit);
			return;
		}
	}
	/* now, because an interruption may come before the name is decided */
	atomic_fetch_add(&user->progress.bad, 1);
	collector = collector_of(visit);
	if (!collector->giver.guesser)
		collector->giver.guesser = guesser_new();
	*array_next(collector->names, collector->count, collector->room) =
		(struct found_name){
			.name = arena_copy(collector->bytes, name, len),
			.len = (uint16_t)len, .kind = (unsigned char)kind,
			.sure = kind == GUESS_DOUBLED || kind == GUESS_MISREAD ?
					GUESS_LIKELY : GUESS_CERTAIN };
	if (user->no_guess && collector->count == BATCH_NAMES)
		give_all(visit, collector);
}

void bad_beside_good(struct walk_visit *visit)
{
	collector_of(visit)->beside_good = true;
}

void bad_leave(struct walk_visit *visit)
{
	struct collector *collector = visit->thread_data;
	struct bad_user *user = visit->walk->data;
	struct bad_dir *dir;

	if (!collector)
		return;
	if (!collector->count) {
		collector->beside_good = false;
		return;
	}
	if (user->no_guess) {
		give_all(visit, collector);
		return;
	}
	dir = bad_learn(collector->giver.guesser, visit->dir, collector->names,
			collector->count, &collector->alike);
	dir->beside_good = collector->beside_good;
	collector->beside_good = false;
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

	if (extra_is_one(bad->guess.kind)) {
		if (extra_lists_only(bad->guess.kind))
			return false;
		extra_apply(&user->extra, bad->name, bad->len, to);
		return true;
	}
	if (!extra_any(&user->extra))
		return convert(guesser, bad, to);
	if (!convert(guesser, bad, &good))
		return false;
	extra_apply(&user->extra, good.bytes, good.len, to);
	return true;
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
	giver_free(&collector->giver);
	alike_free(&collector->alike);
	free(collector->names);
	free(collector);
}

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

/* Hand over the names of a directory that was decided. */
static void give_dir(struct decider *decider, struct giver *giver, struct bad_dir *dir)
{
	struct bad_user *user = decider->walk->data;
	struct walk_visit visit = { .walk = decider->walk, .dir = dir->dir, .fd = -1 };

	if (user->found_good && dir->beside_good && dir->groups &&
	    dir->groups < ENOUGH_NAMES)
		user->found_good(&visit, &giver->out);
	hand_over(&visit, giver, dir->names, dir->count, dir->guesses);
}

static void *decide_blocks(void *data)
{
	struct decider *decider = data;
	struct bad_user *user = decider->walk->data;
	struct giver giver = { .guesser = guesser_new(), .decider = decider };
	size_t begin, end;
	bool more = false;

	do {
		begin = take_block(decider, &end, &giver.number);
		for (size_t i = begin; i < end && !interrupted; i++) {
			if (decider->tree)
				more |= bad_decide(giver.guesser, decider->tree, user->dirs[i]);
			else
				give_dir(decider, &giver, user->dirs[i]);
		}
		if (!decider->tree)
			write_output(user, &giver);
		pthread_mutex_lock(&decider->lock);
		decider->written++;
		decider->more |= more;
		pthread_cond_broadcast(&decider->turn);
		pthread_mutex_unlock(&decider->lock);
	} while (begin != end);
	giver_free(&giver);
	return NULL;
}

/* Decide all directories by the tree, or write them. Returns: are further guesses sure? */
static bool decide_all(struct walk *walk, const struct pool_tree *tree)
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
	/* this thread is one of them; a thread that cannot be started is not needed */
	while (count + 1 < most && count < user->count / BLOCK_DIRS + 1 &&
	       !pthread_create(&threads[count], NULL, decide_blocks, &decider))
		count++;
	decide_blocks(&decider);
	while (count)
		pthread_join(threads[--count], NULL);
	return decider.more;
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

/* Decide all directories by what the names tell that are left in them. */
static bool decide_once(struct walk *walk)
{
	const struct bad_user *user = walk->data;
	struct pool_dir **pools = must(calloc(user->count, sizeof(*pools)));
	struct pool_tree tree;
	size_t pooled = 0;
	bool more;

	for (size_t i = 0; i < user->count; i++) {
		/* what a tree before was told is freed with that tree */
		user->dirs[i]->pool.said = NULL;
		if (user->dirs[i]->pool.names)
			pools[pooled++] = &user->dirs[i]->pool;
	}
	pool_tree(&tree, pools, pooled);
	more = decide_all(walk, &tree);
	pool_free(&tree);
	free(pools);
	return more;
}

void bad_finish(struct walk *walk)
{
	struct bad_user *user = walk->data;

	if (user->count) {
		qsort(user->dirs, user->count, sizeof(struct bad_dir *), compare_dirs);
		/* once more for what fix leaves; a third time hardly ever finds any more */
		if (decide_once(walk) && !interrupted)
			decide_once(walk);
		decide_all(walk, NULL);
	}
	for (size_t i = 0; i < user->count; i++)
		bad_free(user->dirs[i]);
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
