// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Names that a walk meets and finds bad, by directory. */
#include "scan/bad.h"

#include <stdlib.h>
#include <string.h>

#include "scan/bad_dir.h"
#include "scan/mixed.h"
#include "utf8val.h"

/* output kept before it is written */
#define OUT_SIZE 32768
/* names held before they are handed over, when nothing is learnt from them */
#define HELD_NAMES 4096

/* A thread's own. */
struct collector {
	struct guesser *guesser;
	struct alike alike;
	/* the directory that is being read */
	struct text names;
	struct bad_held *held;
	size_t count, room;
	struct bad_place place;
	struct text out;
};

static struct collector *collector_of(struct walk_visit *visit)
{
	struct collector *collector = visit->thread_data;

	if (!collector) {
		collector = must(calloc(1, sizeof(*collector)));
		collector->guesser = guesser_new();
		visit->thread_data = collector;
	}
	return collector;
}

/* Hand over what has been read of a directory. */
static void give_all(struct walk_visit *visit, struct collector *collector)
{
	struct bad_user *user = visit->walk->data;

	collector->place.made = false;
	atomic_fetch_add(&user->progress.bad, collector->count);
	for (size_t i = 0; i < collector->count; i++) {
		const struct bad_held *held = &collector->held[i];
		struct bad_name bad = {
			.name = collector->names.bytes + held->at,
			.len = held->len,
			.type = held->type,
			.guess = { .kind = held->kind, .sure = held->sure },
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
	collector->names.len = 0;
}

void bad_entry(struct walk_visit *visit, const char *name, size_t len,
	       unsigned char type)
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
	if (collector->count == collector->room) {
		collector->room = collector->room ? 2 * collector->room : 64;
		collector->held = must(reallocarray(collector->held,
						    collector->room,
						    sizeof(*collector->held)));
	}
	collector->held[collector->count++] = (struct bad_held){
		.at = collector->names.len, .len = (unsigned int)len, .type = type,
		.kind = (unsigned char)kind,
		.sure = kind == GUESS_TWICE ? GUESS_LIKELY : GUESS_CERTAIN };
	text_add(&collector->names, name, len);
	/* its end, for what takes strings */
	text_add(&collector->names, "", 1);
	if (user->no_guess && collector->count == HELD_NAMES)
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
	dir = bad_learn(collector->guesser, visit->dir, collector->held,
			collector->count, &collector->names,
			&collector->alike);
	collector->count = 0;
	collector->names.len = 0;
	pthread_mutex_lock(&user->lock);
	if (user->count == user->room) {
		user->room = user->room ? 2 * user->room : 64;
		user->dirs = must(reallocarray(user->dirs, user->room,
					       sizeof(struct bad_dir *)));
	}
	user->dirs[user->count++] = dir;
	pthread_mutex_unlock(&user->lock);
}

/* By a guess: nothing where a part is UTF-8 already, perhaps. */
static bool convert(struct guesser *guesser, const struct bad_name *bad,
		    struct text *to)
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
	struct text good = { 0 };
	bool converted;

	if (rules_is_one(bad->guess.kind)) {
		rules_apply(&user->rules, bad->name, bad->len, to);
		return true;
	}
	if (!rules_any(&user->rules))
		return convert(guesser, bad, to);
	converted = convert(guesser, bad, &good);
	if (converted)
		rules_apply(&user->rules, good.bytes, good.len, to);
	text_free(&good);
	return converted;
}

void bad_place_free(struct bad_place *place)
{
	text_free(&place->path);
	text_free(&place->shown);
}

void bad_thread_end(void *thread_data)
{
	struct collector *collector = thread_data;

	if (!collector)
		return;
	guesser_free(collector->guesser);
	alike_free(&collector->alike);
	bad_place_free(&collector->place);
	text_free(&collector->names);
	text_free(&collector->out);
	free(collector->held);
	free(collector);
}
