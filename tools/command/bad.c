// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "bad.h"

#include <stdlib.h>

#include "utf8val.h"

/* names held before they are handed over, in however large a directory */
#define HELD_NAMES 4096
/* bytes the detector is fed; it does not get better with more */
#define SAMPLE_BYTES (64 * 1024)

struct held {
	size_t at;	/* in names */
	size_t len;
	unsigned char type;
};

/* A thread's own. */
struct collector {
	struct guesser *guesser;
	struct text names;
	struct text sample;
	size_t count;
	struct held held[HELD_NAMES];
};

static void learn(struct collector *collector)
{
	struct text *sample = &collector->sample;

	sample->len = 0;
	for (size_t i = 0; i < collector->count; i++) {
		const struct held *held = &collector->held[i];
		const char *name = collector->names.bytes + held->at;

		if (sample->len > SAMPLE_BYTES)
			break;
		if (guess_is_form(name, held->len))
			continue;
		text_add(sample, name, held->len);
		text_add(sample, "\n", 1);
	}
	guesser_sample(collector->guesser, sample->bytes, sample->len);
}

static void hand_over(struct walk_visit *visit)
{
	const struct bad_user *user = visit->walk->data;
	struct collector *collector = visit->thread_data;

	if (!user->no_guess)
		learn(collector);
	for (size_t i = 0; i < collector->count; i++) {
		const struct held *held = &collector->held[i];
		struct bad_name bad = {
			.name = collector->names.bytes + held->at,
			.len = held->len,
			.type = held->type,
		};

		if (!user->no_guess)
			bad.guess = guess_name(collector->guesser, bad.name,
					       bad.len);
		user->found(visit, collector->guesser, &bad);
	}
	collector->count = 0;
	collector->names.len = 0;
}

void bad_entry(struct walk_visit *visit, const char *name, size_t len,
	       unsigned char type)
{
	struct collector *collector = visit->thread_data;

	if (utf8val_valid(name, len))
		return;
	if (!collector) {
		collector = must(calloc(1, sizeof(*collector)));
		collector->guesser = guesser_new();
		visit->thread_data = collector;
	}
	collector->held[collector->count++] =
		(struct held){ collector->names.len, len, type };
	text_add(&collector->names, name, len);
	if (collector->count == HELD_NAMES)
		hand_over(visit);
}

void bad_leave(struct walk_visit *visit)
{
	struct collector *collector = visit->thread_data;

	if (collector && collector->count)
		hand_over(visit);
}

void bad_thread_end(void *thread_data)
{
	struct collector *collector = thread_data;

	if (!collector)
		return;
	guesser_free(collector->guesser);
	text_free(&collector->names);
	text_free(&collector->sample);
	free(collector);
}
