/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The names that an enforcing mount would refuse, for scan, fix and summary. Without
 * guesses, each name is passed on as soon as its directory was read. With guesses, all
 * names are kept until the walk is over, because each may be evidence for another.
 */
#ifndef UTF8VAL_SCAN_BAD_H
#define UTF8VAL_SCAN_BAD_H

#include <pthread.h>

#include "base/strings.h"
#include "guess/guess.h"
#include "scan/extra.h"
#include "walk/progress.h"
#include "walk/walk.h"

/* A directory's path, to be made when the first of its names is written. */
struct bad_place {
	bool made;
	struct text path, shown;	/* as it is, and as text_escape() has it */
};

struct bad_name {
	const char *name;	/* ended by a NUL; with bad_user.keep it lasts */
	size_t len;
	struct guess guess;
	struct bad_place *place;
};

/* The use of the names: a scan or a fix embeds this, and walk.data points to it. */
struct bad_user {
	bool no_guess;
	bool keep;		/* the names' bytes, to the program's end */
	/* names that are UTF-8 but break these are bad, too */
	struct extra extra;
	/*
	 * Called for each name, by any thread; what it adds to out is written in
	 * the order of directories.
	 */
	void (*found)(struct walk_visit *visit, struct guesser *guesser,
		      const struct bad_name *bad, struct text *out);
	/*
	 * Called before the names of a directory where good names beside them count; may be
	 * NULL.
	 */
	void (*found_good)(struct walk_visit *visit, struct text *out);
	struct progress progress;

	/* what is kept here until the walk is over */
	pthread_mutex_t lock;
	struct bad_dir **dirs;
	size_t count, room;
	struct arena **bytes;	/* of names, one for each thread */
	size_t bytes_count, bytes_room;
};

/* Is a name ill-formed, or does it fail an extra check that the user has asked for? */
bool bad_is(const struct bad_user *user, const char *name, size_t len);

/* For struct walk: what its callbacks do. */
void bad_entry(struct walk_visit *visit, const char *name, size_t len);
void bad_leave(struct walk_visit *visit);
/* Before bad_leave(): the directory has good names with more than ASCII. */
void bad_beside_good(struct walk_visit *visit);
void bad_thread_end(void *thread_data);
void bad_tick(struct walk *walk);

/* After the walk: guess, and hand over what is still kept. */
void bad_finish(struct walk *walk);

/*
 * Add what a name is by its guess, as the extra checks want it; false, with nothing added,
 * where guess_convert() says so.
 */
bool bad_convert(const struct bad_user *user, struct guesser *guesser,
		 const struct bad_name *bad, struct text *to);

#endif /* UTF8VAL_SCAN_BAD_H */
