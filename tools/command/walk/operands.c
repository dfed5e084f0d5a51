// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The paths of a command line or a list, without those inside others. check, scan and
 * fix call it.
 */
#include "walk/operands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/option.h"
#include "base/text.h"

static char **read_list(const char *list)
{
	bool is_stdin = !strcmp(list, "-");
	FILE *file = is_stdin ? stdin : fopen(list, "re");
	size_t count = 0, room = 0, size = 0;
	char **paths = NULL, *path = NULL;
	ssize_t len;

	if (!file) {
		complain_errno(list, strlen(list), errno);
		return NULL;
	}
	while ((len = getdelim(&path, &size, '\0', file)) > 0) {
		/* An empty path comes from a mistake: find -print0 writes none. */
		if (!*path)
			continue;
		*array_next(paths, count, room) = must(strndup(path, (size_t)len));
	}
	*array_next(paths, count, room) = NULL;
	if (ferror(file)) {
		complain_errno(list, strlen(list), errno);
		paths = NULL;
	}
	free(path);
	if (!is_stdin)
		fclose(file);
	return paths;
}

char **operands_get(char **operands, const char *list, const char *otherwise)
{
	static char *usual[2];

	if (list && *operands) {
		complain(*operands, strlen(*operands),
			 "give paths or --files0-from, not both");
		return NULL;
	}
	if (list)
		return read_list(list);
	if (*operands)
		return operands;
	usual[0] = must(strdup(otherwise));
	return usual;
}

struct operand_place {
	char *path;	/* absolute, with a slash at its end; NULL: not found */
	size_t number;
};

/*
 * The absolute path of an operand. A symbolic link to something other than a
 * directory counts where the link itself is.
 */
static char *place_of(const char *operand)
{
	char *path = realpath(operand, NULL), *slashed = NULL;

	if (path && asprintf(&slashed, "%s%s", path, path[1] ? "/" : "") < 0)
		slashed = NULL;
	if (path)
		must(slashed);
	free(path);
	return slashed;
}

/*
 * Because each path ends in a slash, paths inside a directory sort right after
 * the directory.
 */
static int compare_places(const void *left, const void *right)
{
	const struct operand_place *a = left, *b = right;
	int order = a->path && b->path ? strcmp(a->path, b->path) : !a->path - !b->path;

	return order ? order : (a->number > b->number) - (a->number < b->number);
}

void operands_drop_nested(char **paths, const struct walk *walk)
{
	size_t count = options_count(paths), kept = 0;
	const char *outer = NULL;
	struct operand_place *places;

	if (count < 2 || walk->limited || walk->exclude_count)
		return;
	places = must(calloc(count, sizeof(*places)));
	for (size_t i = 0; i < count; i++)
		places[i] = (struct operand_place){ place_of(paths[i]), i };
	qsort(places, count, sizeof(*places), compare_places);
	for (size_t i = 0; i < count && places[i].path; i++) {
		if (!outer || strncmp(places[i].path, outer, strlen(outer))) {
			outer = places[i].path;
			continue;
		}
		complain(paths[places[i].number], strlen(paths[places[i].number]),
			 "skipped: it is inside another path that was given");
		paths[places[i].number] = NULL;
	}
	for (size_t i = 0; i < count; i++) {
		free(places[i].path);
		if (paths[i])
			paths[kept++] = paths[i];
	}
	paths[kept] = NULL;
	free(places);
}
