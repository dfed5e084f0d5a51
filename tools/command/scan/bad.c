// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Names that a walk meets and finds bad, by directory. */
#include "scan/bad.h"

#include <stdlib.h>

#include "base/array.h"
#include "scan/bad_dir.h"
#include "scan/mixed.h"
#include "utf8val.h"

/* output kept before it is written */
#define OUT_SIZE 32768
/* names that are handed over at a time, when nothing is learnt from them */
#define BATCH_NAMES 4096

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
