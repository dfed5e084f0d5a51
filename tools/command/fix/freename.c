// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Names that nothing has: what is wanted, or a number of it. */
#include "fix/freename.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "utf8val.h"

#define NAME_LIMIT 255

/* A name that was asked for and is taken, if only by what is yet to be done. */
struct given {
	unsigned int next;	/* number to try when it is asked for again */
	char name[];
};

static int compare_given(const void *left, const void *right)
{
	const struct given *a = left, *b = right;

	return strcmp(a->name, b->name);
}

/* The one of that name; a new one, with next 0, if there is none. */
static struct given *give(struct free_names *names, const char *name)
{
	size_t size = sizeof(struct given) + strlen(name) + 1;
	struct given *given = must(malloc(size));
	struct given **found;

	given->next = 0;
	memcpy(given->name, name, strlen(name) + 1);
	found = must(tsearch(given, &names->given, compare_given));
	if (*found != given)
		free(given);
	return *found;
}

void free_names_forget(struct free_names *names)
{
	tdestroy(names->given, free);
	names->given = NULL;
}

/*
 * The wanted name or, when that is taken, the n-th of it: the number goes in
 * front of the extension, and the stem gives way, at a character's boundary,
 * when the whole would be too long.
 */
static char *numbered(const struct wrong *wrong, bool shorten)
{
	const char *dot = memrchr(wrong->want, '.', wrong->want_len);
	size_t stem = wrong->want_len, tail;
	char number[16] = "";
	char *name;

	if (wrong->number == 1 && !shorten)
		return must(strndup(wrong->want, wrong->want_len));
	/* a dot file has no stem, and a long "extension" is none */
	if (dot && dot != wrong->want && wrong->want + stem - dot <= 16)
		stem = (size_t)(dot - wrong->want);
	tail = wrong->want_len - stem;
	if (wrong->number > 1)
		snprintf(number, sizeof(number), "-%u", wrong->number);
	if (stem + strlen(number) + tail > NAME_LIMIT) {
		size_t room = NAME_LIMIT - strlen(number) - tail;
		size_t cut = utf8val_floor(wrong->want, stem, room);

		/* no name ends so that did not before */
		while (!number[0] && !tail && cut > 1 &&
		       strchr(" .", wrong->want[cut - 1]))
			cut--;
		name = must(malloc(NAME_LIMIT + 1));
		sprintf(name, "%.*s%s%.*s", (int)cut, wrong->want, number,
			(int)tail, wrong->want + stem);
		return name;
	}
	name = must(malloc(stem + strlen(number) + tail + 1));
	sprintf(name, "%.*s%s%.*s", (int)stem, wrong->want, number, (int)tail,
		wrong->want + stem);
	return name;
}

int free_names_find(struct free_names *names, int dir, struct wrong *wrong,
		    bool may_shorten)
{
	struct given *wish = NULL, *given;
	bool shorten = false;
	struct stat st;
	int error;

	if (names->dir != wrong->dir)
		free_names_forget(names);
	names->dir = wrong->dir;
	while (wrong->number <= FREE_NAMES_LIMIT) {
		error = 0;
		free(wrong->name);
		wrong->name = numbered(wrong, shorten);
		given = give(names, wrong->name);
		if (!given->next &&
		    fstatat(dir, wrong->name, &st, AT_SYMLINK_NOFOLLOW))
			error = errno;
		if (error == ENAMETOOLONG && !shorten && may_shorten) {
			shorten = true;
			continue;
		}
		if (error && error != ENOENT)
			return error;
		if (!given->next)
			given->next = wrong->number + 1;
		if (!wish)
			wish = given;
		if (error) {
			wish->next = wrong->number + 1;
			return 0;
		}
		wrong->number = wish->next > wrong->number ? wish->next :
							     wrong->number + 1;
	}
	error = EEXIST;
	return error;
}
