// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Which entries a walk leaves out. */
#include "walk/filter.h"

#include <fnmatch.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/*
 * Match by characters where the locale's charset can read the text, and by bytes
 * otherwise: many names that this command is about cannot be read so.
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
		return "this is no number, or too large a one";
	walk->limited = true;
	walk->max_depth = (unsigned int)value;
	return NULL;
}
