// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Free names: the wanted name, or the wanted name with a number. fix/rename_run.c calls
 * it before each rename.
 */
#include "fix/freename.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/newname.h"
#include "utf8val.h"

/* from so many requests on, reading a directory costs less than asking for each name */
#define MANY_REQUESTS 1000

/*
 * The state of a name that was requested: 0: unknown; VALUE_FREE: no file has it. Any
 * other value is the next number to try, because the name is taken, by a file or by a
 * rename to come.
 */
#define VALUE_FREE UINT_MAX

/* The oldest supported systems have no such names in their headers. */
#ifndef FS_CASEFOLD_FL
#define FS_CASEFOLD_FL 0x40000000
#endif

/*
 * Is a name there only if these bytes are? No file system is trusted that may have
 * been told to ignore case or normalization.
 */
static bool has_exact_names(int dir)
{
	struct statfs fs;
	unsigned int type;
	int flags = 0;

	if (fstatfs(dir, &fs) || fs.f_namelen < NAME_MAX)
		return false;
	type = (unsigned int)fs.f_type;
	if (type == BTRFS_SUPER_MAGIC)
		return true;
	if (type != EXT4_SUPER_MAGIC && type != TMPFS_MAGIC)
		return false;
	/* tmpfs has no flags before it has case-insensitive directories */
	if (ioctl(dir, FS_IOC_GETFLAGS, &flags))
		return errno == ENOTTY && type == TMPFS_MAGIC;
	return !(flags & FS_CASEFOLD_FL);
}

/* Note which of the wanted names are taken. False: the directory cannot be read. */
static bool read_taken(struct strings *asked, int fd)
{
	DIR *stream = fdopendir(fd);
	const struct dirent *entry;

	if (!stream) {
		close(fd);
		return false;
	}
	errno = 0;
	while ((entry = readdir(stream))) {
		const char *name = entry->d_name;
		size_t number;

		/* every name that is wanted is well-formed */
		if (!utf8val_valid(name, strlen(name)))
			continue;
		number = strings_find(asked, name);
		if (number != SIZE_MAX)
			asked->entries[number].value = 2;
	}
	fd = errno;
	closedir(stream);
	return !fd;
}

/* Files that were named one by one have a node each for the directory that they are in. */
static bool is_same_dir(const struct walk_dir *a, const struct walk_dir *b)
{
	return a == b || (a && b && !identity_compare(&a->id, &b->id));
}

void free_names_enter(struct free_names *names, const struct requests *requests,
		      int dir, const struct rename_request *first)
{
	const struct rename_request *end = requests->items + requests->count;
	const struct rename_request *request = first;
	size_t count = 0;
	int fd;

	if (is_same_dir(names->dir, first->dir))
		return;
	names->dir = first->dir;
	strings_reset(&names->asked);
	for (; request < end && is_same_dir(request->dir, first->dir); request++)
		count += !!request->want;
	if (count < MANY_REQUESTS)
		return;
	fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!has_exact_names(fd)) {
		close(fd);
		return;
	}
	while (request-- > first) {
		/* what is too long is found out one by one */
		if (request->want && strlen(request->want) <= NAME_MAX)
			strings_add(&names->asked, request->want);
	}
	for (size_t i = 0; i < names->asked.count; i++)
		names->asked.entries[i].value = VALUE_FREE;
	if (!read_taken(&names->asked, fd))
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
