// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Locks on a tree and the directories above it, so that one run at a time renames there.
 * fix and undo take them.
 */
#include "walk/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "walk/identity.h"

/* directories; where there are more, the root of the file system stands for all */
#define MOST_LOCKS 128

/* A directory that is to be locked, once, for the strongest of its reasons. */
struct lock {
	struct identity id;
	bool alone;		/* a root: no other run may be here */
	int fd;
	const char *path;	/* of the root that it is locked for */
};

struct locks {
	struct lock *items;
	size_t count, room;
};

/* Add a directory that is open for reading, or close it. */
static void add(struct locks *locks, int fd, bool alone, const char *path)
{
	struct lock new = { .alone = alone, .fd = fd, .path = path };

	if (identity_get(fd, "", &new.id)) {
		close(fd);
		return;
	}
	for (size_t i = 0; i < locks->count; i++) {
		if (identity_compare(&locks->items[i].id, &new.id))
			continue;
		close(fd);
		locks->items[i].alone |= alone;
		return;
	}
	*array_next(locks->items, locks->count, locks->room) = new;
}

/* Open what a path stands for; -1: there is nothing that can be locked. */
static int open_root(const char *path)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;
	int fd = open(path, flags);
	const char *slash = strrchr(path, '/');
	char *parent;

	if (fd >= 0 || errno != ENOTDIR)
		return fd;
	if (!slash)
		return open(".", flags);
	parent = must(strndup(path, (size_t)(slash - path) + 1));
	fd = open(parent, flags);
	free(parent);
	return fd;
}

/* A root and what is above it; false when there are too many. */
static bool add_tree(struct locks *locks, const char *path)
{
	int at = open_root(path), above, fd;
	struct identity id, before = { 0 };
	bool alone = true;

	while (at >= 0 && locks->count < MOST_LOCKS) {
		bool last = identity_get(at, "", &id) ||
			    (!alone && !identity_compare(&id, &before));

		above = last ? -1 : openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		fd = last ? -1 : openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0)
			add(locks, fd, alone, path);
		close(at);
		at = above;
		before = id;
		alone = false;
	}
	if (at >= 0)
		close(at);
	return locks->count < MOST_LOCKS;
}

static bool take(const struct lock *lock)
{
	if (!flock(lock->fd, (lock->alone ? LOCK_EX : LOCK_SH) | LOCK_NB) ||
	    errno != EWOULDBLOCK)
		return true;
	complain(lock->path, strlen(lock->path),
		 "another run renames in this tree, or in one above or below it. "
		 "Run the same command again after that, or with --no-lock");
	return false;
}

bool lock_trees(const char *const *paths, size_t count)
{
	struct locks locks = { 0 };
	bool good = true;

	for (size_t i = 0; i < count; i++) {
		if (add_tree(&locks, paths[i]))
			continue;
		while (locks.count)
			close(locks.items[--locks.count].fd);
		add_tree(&locks, "/");
		break;
	}
	for (size_t i = 0; i < locks.count && good; i++)
		good = take(&locks.items[i]);
	/* the descriptors stay open, and the locks with them */
	free(locks.items);
	return good;
}
