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

/*
 * A way by which a name enters the working directory, in which a file "seed"
 * and a file "moving" exist.
 */
struct plain_way {
	const char *name;
	int (*enter)(const char *name);
};

static inline int enter_symlink(const char *name)
{
	return err(symlink("anywhere", name));
}

static inline int enter_mknod(const char *name)
{
	return err(mknod(name, S_IFIFO | 0644, 0));
}

static inline int enter_link(const char *name)
{
	return err(link("seed", name));
}

static inline int enter_rename(const char *name)
{
	return err(rename("moving", name));
}

static const struct plain_way plain_ways[] = {
	{ "create", do_create },      { "mkdir", do_mkdir },
	{ "symlink", enter_symlink }, { "mknod", enter_mknod },
	{ "link", enter_link },	      { "rename", enter_rename },
};

/*
 * Try every bad name by every way: each call has to return @want, and the name
 * may be there afterwards only if @want is 0. A good name has to be made. The
 * names of the points begin with @rule and @what.
 */
static inline void every_way(const char *where, int want, const char *rule,
			     const char *what)
{
	static const char good[] = "good \xC3\xA9";

	go(where);
	do_create("seed");
	for (size_t w = 0; w < ARRAY_SIZE(plain_ways); w++) {
		const struct plain_way *way = &plain_ways[w];

		for (size_t i = 0; i < BAD_NAMES; i++) {
			const char *name = bad_names[i].bytes;

			do_create("moving");
			tap_is(way->enter(name), want, "%s: %s, %s: %s", rule,
			       what, way->name, bad_names[i].kind);
			tap_is(there(name), !want, "%s: and is %sthere", rule,
			       want ? "not " : "");
			another_removes(name);
		}
		do_create("moving");
		tap_is(way->enter(good), 0, "%s: %s, %s: good name", rule, what,
		       way->name);
		another_removes(good);
	}
	unlink("seed");
	unlink("moving");
	go("/");
}

#endif /* UTF8VAL_VM_WAYS_H */
