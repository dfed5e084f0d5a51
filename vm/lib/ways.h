/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The six operations that make a name, each in its plainest form, and a run of
 * all of them with every kind of bad name. The path matrix has many more forms.
 */
#ifndef UTF8VAL_VM_WAYS_H
#define UTF8VAL_VM_WAYS_H

#include "fs.h"
#include "names.h"
#include "tap.h"

static const char *const ways[] = {
	"create", "mkdir", "symlink", "mknod", "link", "rename"
};

/* Make a name in the working directory, where "seed" and "moving" are. */
static inline int enter(const char *name, size_t way)
{
	switch (way) {
	case 0:
		return do_create(name);
	case 1:
		return err(mkdir(name, 0755));
	case 2:
		return err(symlink("anywhere", name));
	case 3:
		return err(mknod(name, S_IFIFO | 0644, 0));
	case 4:
		return err(link("seed", name));
	default:
		return err(rename("moving", name));
	}
}

static inline void leave(const char *name)
{
	if (unlink(name))
		rmdir(name);
}

/*
 * Every bad name has to give @want by every way in, and be there only when that
 * is 0; a good one has to enter. @rule and @what begin the points' names.
 */
static inline void every_way(const char *where, int want, const char *rule,
			     const char *what)
{
	static const char good[] = "good \xC3\xA9";

	go(where);
	do_create("seed");
	for (size_t way = 0; way < ARRAY_SIZE(ways); way++) {
		for (size_t i = 0; i < BAD_NAMES; i++) {
			const char *name = bad_names[i].bytes;

			do_create("moving");
			tap_is(enter(name, way), want, "%s: %s, %s: %s", rule,
			       what, ways[way], bad_names[i].kind);
			tap_is(there(name), !want, "%s: and is %sthere", rule,
			       want ? "not " : "");
			leave(name);
		}
		do_create("moving");
		tap_is(enter(good, way), 0, "%s: %s, %s: good name", rule, what,
		       ways[way]);
		leave(good);
	}
	unlink("seed");
	unlink("moving");
	go("/");
}

#endif /* UTF8VAL_VM_WAYS_H */
