// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The options that exclude entries from a walk. walk/read.c asks it for each entry. */
#include "walk/filter.h"

#include <fnmatch.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/*
 * Match by characters where the locale's charset can read the text, and by bytes
 * otherwise: many names that this command handles cannot be read.
 */
static bool matches(const char *glob, const char *text, int flags)
{
	int result = fnmatch(glob, text, flags);
	locale_t bytes, before;

	if (!result || result == FNM_NOMATCH)
		return !result;
	bytes = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	before = uselocale(bytes);
	result = fnmatch(glob, text, flags);
	uselocale(before);
	if (bytes)
		freelocale(bytes);
	return !result;
}

bool walk_excludes(const struct walk *walk, const struct walk_dir *dir,
		   const char *name, size_t len)
{
	text_auto path = { 0 };
	bool found = false;

	for (size_t i = 0; i < walk->exclude_count && !found; i++) {
		const char *glob = walk->excludes[i];

		if (!strchr(glob, '/')) {
			found = matches(glob, name, 0);
			continue;
		}
		if (!path.len) {
			if (dir->depth) {
				walk_relative_path(&path, dir);
				text_puts(&path, "/");
			}
			text_add(&path, name, len + 1);
		}
		found = matches(glob + (*glob == '/'), path.bytes, FNM_PATHNAME);
	}
	return found;
}

/*
 * The part of a glob for a walk that begins in a directory; NULL when the glob matches
 * nothing in there. No star matches a slash, so the glob's components stand for the
 * path's, one for one.
 */
static const char *glob_below(const char *glob, const struct walk_dir *dir)
{
	text_auto path = { 0 }, above = { 0 };
	const char *begin = glob + (*glob == '/'), *rest = begin;

	if (!dir->depth || !strchr(glob, '/'))
		return glob;
	for (unsigned int level = 0; level < dir->depth && rest; level++)
		rest = strchr(rest + !!level, '/');
	if (!rest)
		return NULL;
	walk_relative_path(&path, dir);
	text_add(&path, "", 1);
	text_add(&above, begin, (size_t)(rest - begin));
	text_add(&above, "", 1);
	return matches(above.bytes, path.bytes, FNM_PATHNAME) ? rest : NULL;
}

void walk_options(const struct walk *walk, const struct walk_dir *dir, struct text *to)
{
	if (walk->cross)
		text_puts(to, "--cross-devices ");
	for (size_t i = 0; i < walk->exclude_count; i++) {
		const char *glob = dir ? glob_below(walk->excludes[i], dir) :
					 walk->excludes[i];

		if (!glob)
			continue;
		text_puts(to, "--exclude ");
		text_shell(to, glob);
		text_puts(to, " ");
	}
	if (walk->limited)
		text_printf(to, "--max-depth %u ",
			    walk->max_depth - (dir ? dir->depth : 0));
}

const char *walk_take_exclude(void *data, const char *glob)
{
	struct walk *walk = data;

	*array_next(walk->excludes, walk->exclude_count, walk->exclude_room) = glob;
	return NULL;
}

const char *walk_take_depth(void *data, const char *depth)
{
	struct walk *walk = data;
	char *end;
	unsigned long value = strtoul(depth, &end, 10);

	if (*depth < '0' || *depth > '9' || *end || value > 1000000)
		return "not a number in the allowed range";
	walk->limited = true;
	walk->max_depth = (unsigned int)value;
	return NULL;
}
