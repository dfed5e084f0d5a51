// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* One open directory that goes from place to place in a walked tree. */
#include "walk/cursor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void leave(struct cursor *cursor)
{
	/* who may rename in it need not own it: then nothing can be done */
	if (cursor->touched)
		utimensat(cursor->fd, ".", cursor->times, 0);
	cursor->touched = false;
}

/* Be at dir, which fd is. */
static void settle(struct cursor *cursor, const struct walk_dir *dir, int fd)
{
	if (cursor->dir)
		close(cursor->fd);
	cursor->dir = dir;
	cursor->fd = fd;
}

/* To the directory above, by ".." if that is still the same. */
static bool ascend(struct cursor *cursor)
{
	const struct walk_dir *parent = cursor->dir->parent;
	struct identity id;
	int fd;

	/* without a number it may be anything that this was moved to meanwhile */
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

/* To a directory below, step by step. */
static int descend(struct cursor *cursor, const struct walk_dir *to)
{
	unsigned int count = to->depth - cursor->dir->depth;
	const struct walk_dir **chain = must(malloc((count + 1) *
						    sizeof(*chain)));
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
	if (!cursor->dir ||
	    walk_above(cursor->dir, 0) != walk_above(dir, 0))
		return from_root(cursor, dir);
	common = walk_common(cursor->dir, dir);
	while (cursor->dir != common) {
		if (!ascend(cursor))
			return from_root(cursor, dir);
	}
	/* what was moved away while it was open is not looked for elsewhere */
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
}
