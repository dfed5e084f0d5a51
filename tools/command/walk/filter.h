/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The options that exclude entries from a walk. read.c calls this for each entry. */
#ifndef UTF8VAL_WALK_FILTER_H
#define UTF8VAL_WALK_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "walk/visit.h"

/* Is this entry one that walk.excludes names? */
bool walk_excludes(const struct walk *walk, const struct walk_dir *dir,
		   const char *name, size_t len);

/*
 * Add the options of this walk to a command that is printed, each with a space after it.
 * They are those for a walk that begins in a directory below: a path of --exclude is
 * shorter there, and fewer levels are left.
 */
void walk_options(const struct walk *walk, const struct walk_dir *dir, struct text *to);

/* Rows of a table of options: what is visited, in what way. */
const char *walk_take_exclude(void *data, const char *glob);
const char *walk_take_depth(void *data, const char *depth);
#define WALK_OPTION_EXCLUDE(walk) \
	{ 0, "exclude", "GLOB", \
	  "Skip entries with such a name or, with a slash in it, such a path " \
	  "from the start of the walk, and all below; can be repeated", \
	  .repeats = true, .told = true, .take = walk_take_exclude, .data = (walk) }
#define WALK_OPTION_CROSS(walk) \
	{ 0, "cross-devices", NULL, "Enter other file systems", \
	  .flag = &(walk)->cross, .told = true }
#define WALK_OPTION_THREADS(walk) \
	{ 'j', "threads", "N", \
	  "Read N directories at a time (default: two per processor)", \
	  .number = &(walk)->threads, .most = WALK_THREADS }
#define WALK_OPTION_DEPTH(walk) \
	{ 0, "max-depth", "N", \
	  "Descend N levels at most; 0: only what is named", \
	  .told = true, .take = walk_take_depth, .data = (walk) }

#endif /* UTF8VAL_WALK_FILTER_H */
