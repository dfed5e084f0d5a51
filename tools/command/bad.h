/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The names in one directory that an enforcing mount would refuse, collected
 * while it is read and handed over with a guess at what each is.
 */
#ifndef UTF8VAL_BAD_H
#define UTF8VAL_BAD_H

#include "guess.h"
#include "walk.h"

struct bad_name {
	const char *name;
	size_t len;
	unsigned char type;	/* DT_* */
	struct guess guess;
};

/*
 * What is done with them: a scan or a fix embeds this, and walk.data points to
 * it.
 */
struct bad_user {
	bool no_guess;
	/* called by the directory's thread for each name */
	void (*found)(struct walk_visit *visit, struct guesser *guesser,
		      const struct bad_name *bad);
};

/* For struct walk: the three callbacks. */
void bad_entry(struct walk_visit *visit, const char *name, size_t len,
	       unsigned char type);
void bad_leave(struct walk_visit *visit);
void bad_thread_end(void *thread_data);

#endif /* UTF8VAL_BAD_H */
