/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Tasks of two users that remove, create, move and exchange a few bad names at
 * random, and the look whether there are any that were not there at first.
 */
#ifndef UTF8VAL_VM_RACE_H
#define UTF8VAL_VM_RACE_H

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "fs.h"

/* the bad names that there are at first, spread over the directories /r/d0 and on */
#define NAMES 6
#define DIRS 3

static inline void path_of(char *path, size_t size, unsigned int dir,
			   unsigned int name, const char *form)
{
	char text[16];

	snprintf(text, sizeof(text), form, name);
	snprintf(path, size, "/r/d%u/%s", dir, text);
}

/* Remove, create, move or exchange at random, among a few names. */
static inline void disturb(int number)
{
	static bool seeded;
	char a[64], b[64];
	unsigned int n = 0;

	if (!seeded)
		srandom((unsigned int)number + 1);
	seeded = true;
	path_of(a, sizeof(a), random() % DIRS, random() % (NAMES + 2),
		random() & 1 ? "\xFF%u" : "good%u");
	path_of(b, sizeof(b), random() % DIRS, random() % (NAMES + 2),
		random() & 1 ? "\xFF%u" : "good%u");
	n = (unsigned int)random() % 11;
	if (n < 4) {
		/* most names are made again, or none would soon be left */
		if (!unlink(a) && random() % 64)
			do_create(a);
	} else if (n == 4) {
		if (!rename(a, b) && random() % 64)
			do_create(a);
	} else if (n == 5) {
		do_rename2(a, b, RENAME_EXCHANGE);
	} else if (n == 6) {
		link(a, b);
	} else if (n == 7) {
		/* a removal that fails after the hook, and one that does not */
		snprintf(b, sizeof(b), "%.48s/full", a);
		rmdir(a);
		if (!unlink(b) && !rmdir(a) && !mkdir(a, 0777) && !chmod(a, 0777))
			do_create(b);
	} else if (n == 8) {
		/* the directory has another name for a moment */
		snprintf(b, sizeof(b), "/r/away/%.48s", a + strlen("/r/d0/"));
		a[strlen("/r/d0")] = '\0';
		if (!do_rename2(a, "/r/away", RENAME_NOREPLACE)) {
			if (!unlink(b) || random() & 1)
				do_create(b);
			do_rename2("/r/away", a, RENAME_NOREPLACE);
		}
	} else {
		do_create(a);
	}
}

static inline void *disturb_forever(void *number)
{
	for (;;)
		disturb((int)(long)number);
	return NULL;
}

/*
 * An unprivileged user's threads, in namespaces of its own, which get one processor
 * only while nobody else wants that: they stay for long wherever they are interrupted.
 */
static inline void disturb_idle(int number)
{
	struct sched_param none = { 0 };
	cpu_set_t first;
	pthread_t thread;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (setresuid(1000, 1000, 1000) || unshare(CLONE_NEWUSER | CLONE_NEWNS) ||
	    sched_setaffinity(0, sizeof(first), &first) ||
	    sched_setscheduler(0, SCHED_IDLE, &none))
		_exit(1);
	for (int i = 0; i < 7; i++)
		pthread_create(&thread, NULL, disturb_forever, (void *)(long)number);
	disturb_forever((void *)(long)number);
}

/*
 * Returns: how many bad names are there that were not at first; *all: how many
 * bad names there are.
 */
static inline unsigned int bad_there(unsigned int *all)
{
	unsigned int added = 0;
	char path[64];

	*all = 0;
	for (unsigned int dir = 0; dir < DIRS; dir++)
		for (unsigned int name = 0; name < NAMES + 2; name++) {
			path_of(path, sizeof(path), dir, name, "\xFF%u");
			if (!there(path))
				continue;
			added += name >= NAMES || name % DIRS != dir;
			++*all;
		}
	return added;
}

#endif /* UTF8VAL_VM_RACE_H */
