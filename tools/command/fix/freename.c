// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Free names: the wanted name, or the wanted name with a number. fix/rename_run.c calls
 * it before each rename.
 */
#include "fix/freename.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/newname.h"
#include "utf8val.h"

/*
 * The state of a name that was requested: 0: unknown; VALUE_FREE: no file has it. Any
 * other value is the next number to try, because the name is taken, by a file or by a
 * rename to come.
 */
#define VALUE_FREE UINT_MAX

/* Files that were named one by one have a node each for the directory that they are in. */
static bool is_same_dir(const struct walk_dir *a, const struct walk_dir *b)
{
	return a == b || (a && b && !identity_compare(&a->id, &b->id));
}

void free_names_enter(struct free_names *names, const struct walk_dir *dir)
{
	if (is_same_dir(names->dir, dir))
		return;
	names->dir = dir;
	strings_reset(&names->asked);
}

void free_names_vacate(struct free_names *names, const struct walk_dir *dir,
		       const char *name)
{
	size_t number;

	if (!is_same_dir(names->dir, dir))
		return;
	/* first, since it may move the entries */
	number = strings_add(&names->asked, name);
	names->asked.entries[number].value = VALUE_FREE;
}

/* Bytes that a name may have: fewer than usual on eCryptfs. */
static size_t name_limit(int dir)
{
	struct statfs fs;

	return fstatfs(dir, &fs) || fs.f_namelen < NAME_MAX / 4 ||
			       fs.f_namelen > NAME_MAX ?
		       NAME_MAX :
		       (size_t)fs.f_namelen;
}

/*
 * The wanted name or, when that is taken, the n-th variant of it. The number goes in
 * front of the extension. The stem is cut, at a character's boundary, when the whole
 * would be too long.
 */
static char *numbered(struct arena *bytes, const struct rename_request *request,
		      bool shorten, size_t limit)
{
	const char *want = request->want;
	size_t len = strlen(want), stem = newname_stem(want, len), room;
	const size_t tail = len - stem;
	char number[16] = "";
	char *name;

	if (request->number > 1)
		snprintf(number, sizeof(number), "-%u", request->number);
	room = limit - strlen(number) - tail;
	if ((shorten || request->number > 1) && stem > room) {
		size_t cut = utf8val_floor(want, stem, room);

		/* no name ends so that did not before */
		while (!number[0] && !tail && cut > 1 && strchr(" .", want[cut - 1]))
			cut--;
		stem = cut;
	}
	room = stem + strlen(number) + tail + 1;
	name = arena_room(bytes, room);
	sprintf(name, "%.*s%s%s", (int)stem, want, number, want + len - tail);
	arena_take(bytes, room);
	return name;
}

int free_names_find(struct free_names *names, struct arena *bytes, int dir,
		    struct rename_request *request, bool may_shorten)
{
	size_t wish = SIZE_MAX, number, limit = NAME_MAX;
	const int all_taken = EEXIST;
	bool shorten = false;
	struct stat st;

	while (request->number <= FREE_NAMES_LIMIT) {
		unsigned int *value;
		int error = 0;

		request->name = request->number > 1 || shorten ?
					numbered(bytes, request, shorten, limit) :
					request->want;
		number = strings_add(&names->asked, request->name);
		value = &names->asked.entries[number].value;
		if (*value == VALUE_FREE)
			error = ENOENT;
		else if (!*value && fstatat(dir, request->name, &st, AT_SYMLINK_NOFOLLOW))
			error = errno;
		if (error == ENAMETOOLONG && !shorten && may_shorten) {
			shorten = true;
			limit = name_limit(dir);
			continue;
		}
		if (error && error != ENOENT)
			return error;
		if (!*value || error)
			*value = request->number + 1;
		if (wish == SIZE_MAX)
			wish = number;
		value = &names->asked.entries[wish].value;
		if (error) {
			*value = request->number + 1;
			return 0;
		}
		request->number = *value > request->number ? *value : request->number + 1;
	}
	return all_taken;
}
