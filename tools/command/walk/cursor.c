// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * One open directory that moves through a walked tree. fix and undo rename relative to
 * it.
 */
#include "walk/cursor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void leave(struct cursor *cursor)
{
	/*
	 * A user who may rename in a directory need not own the directory, and only its
	 * owner may set its times. The names are right in any case.
	 */
	if (cursor->touched && utimensat(cursor->fd, ".", cursor->times, 0) &&
	    !cursor->lost++)
		walk_complain(cursor->dir, NULL, errno == EPERM ?
			      "the times of this directory were not kept, because this user "
			      "does not own it" :
			      "the times of this directory were not kept");
	cursor->touched = false;
}

/* Put the cursor at dir, which is open as fd, and close the directory before. */
static void settle(struct cursor *cursor, const struct walk_dir *dir, int fd)
{
	if (cursor->dir)
		close(cursor->fd);
	cursor->dir = dir;
	cursor->fd = fd;
}

/* Go to the directory above, by ".." if that still leads to the same directory. */
static bool ascend(struct cursor *cursor)
{
	const struct walk_dir *parent = cursor->dir->parent;
	struct identity id;
	int fd;

	/*
	 * Without a lasting inode number ".." may be any directory that this
	 * one was moved into meanwhile.
	 */
	if (!parent->id.lasting)
		return false;
	fd = openat(cursor->fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (identity_get(fd, "", &id) || !identity_same(&id, &parent->id)) {
		close(fd);
		return false;
	}
	settle(cursor, parent, fd);
	return true;
}

/* Go to a directory below the cursor's, one name at a time. */
static int descend(struct cursor *cursor, const struct walk_dir *to)
{
	unsigned int count = to->depth - cursor->dir->depth;
	const struct walk_dir **chain = must(malloc((count + 1) * sizeof(*chain)));
	int error = 0;

	for (unsigned int i = count; i-- > 0; to = to->parent)
		chain[i] = to;
	for (unsigned int i = 0; i < count && !error; i++) {
		int fd = walk_step(cursor->fd, chain[i], false);

		if (fd < 0)
			error = errno;
		else
			settle(cursor, chain[i], fd);
	}
	free(chain);
	return error;
}

static int from_root(struct cursor *cursor, const struct walk_dir *dir)
{
	const struct walk_dir *root = walk_above(dir, 0);
	int fd = walk_open_root(root);

	if (fd < 0)
		return errno;
	settle(cursor, root, fd);
	return descend(cursor, dir);
}

int cursor_enter(struct cursor *cursor, const struct walk_dir *dir)
{
	const struct walk_dir *common;

	if (cursor->dir == dir)
		return 0;
	leave(cursor);
	if (!cursor->dir || walk_above(cursor->dir, 0) != walk_above(dir, 0))
		return from_root(cursor, dir);
	common = walk_common(cursor->dir, dir);
	while (cursor->dir != common) {
		if (!ascend(cursor))
			return from_root(cursor, dir);
	}
	/*
	 * A directory that was moved away while the cursor stood in it is not
	 * looked for elsewhere.
	 */
	return descend(cursor, dir);
}

void cursor_keep_times(struct cursor *cursor)
{
	struct stat st;

	if (cursor->touched || fstatat(cursor->fd, ".", &st, 0))
		return;
	cursor->times[0] = st.st_atim;
	cursor->times[1] = st.st_mtim;
	cursor->touched = true;
}

void cursor_close(struct cursor *cursor)
{
	if (!cursor->dir)
		return;
	leave(cursor);
	close(cursor->fd);
	cursor->dir = NULL;
	if (cursor->lost > 1)
		complain(NULL, 0, "the times of %llu other directories were not kept "
			 "either", cursor->lost - 1);
}
