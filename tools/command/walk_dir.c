// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The directories of a walk: their nodes, paths and descriptors. */
#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct walk_dir *walk_ref(struct walk_dir *dir)
{
	atomic_fetch_add(&dir->refs, 1);
	return dir;
}

void walk_unref(struct walk_dir *dir)
{
	while (dir && atomic_fetch_sub(&dir->refs, 1) == 1) {
		struct walk_dir *parent = dir->parent;

		free(dir);
		dir = parent;
	}
}

struct walk_dir *walk_new(struct walk_dir *parent, const char *name, size_t len)
{
	struct walk_dir *dir = must(calloc(1, sizeof(*dir) + len + 1));

	memcpy(dir->name, name, len);
	dir->len = len;
	dir->fd = -1;
	dir->refs = 1;
	if (parent) {
		dir->parent = walk_ref(parent);
		dir->depth = parent->depth + 1;
		dir->root = parent->root;
	}
	return dir;
}

/* The directories from the root to this one, depth + 1 of them; to be freed. */
static const struct walk_dir **chain_of(const struct walk_dir *dir)
{
	const struct walk_dir **chain =
		must(malloc((dir->depth + 1) * sizeof(*chain)));

	for (const struct walk_dir *d = dir; d; d = d->parent)
		chain[d->depth] = d;
	return chain;
}

static void add_component(struct text *path, const char *name, size_t len)
{
	if (path->len && path->bytes[path->len - 1] != '/')
		text_add(path, "/", 1);
	text_add(path, name, len);
}

void walk_path(struct text *path, const struct walk_dir *dir, const char *name,
	       size_t len)
{
	const struct walk_dir **chain = chain_of(dir);

	for (unsigned int i = 0; i <= dir->depth; i++)
		add_component(path, chain[i]->name, chain[i]->len);
	if (name)
		add_component(path, name, len);
	free(chain);
}

void walk_relative_path(struct text *path, const struct walk_dir *dir)
{
	const struct walk_dir **chain = chain_of(dir);

	if (!dir->depth)
		text_puts(path, ".");
	for (unsigned int i = 1; i <= dir->depth; i++)
		add_component(path, chain[i]->name, chain[i]->len);
	free(chain);
}

void walk_trouble(struct walk *walk, const struct walk_dir *dir,
		  const char *name, size_t len, int error)
{
	struct text path = { 0 };

	atomic_fetch_add(&walk->troubles, 1);
	walk_path(&path, dir, name, len);
	complain_errno(path.bytes, path.len, error);
	text_free(&path);
}

int walk_open(const struct walk_dir *dir, int root_fd, bool follow)
{
	const struct walk_dir **chain;
	int fd = root_fd;

	if (!dir->depth)
		return fcntl(root_fd, F_DUPFD_CLOEXEC, 0);
	chain = chain_of(dir);
	for (unsigned int i = 1; i <= dir->depth && fd >= 0; i++) {
		int next = openat(fd, chain[i]->name,
				  WALK_OPEN_FLAGS | (follow ? 0 : O_NOFOLLOW));
		int error = errno;

		if (fd != root_fd)
			close(fd);
		errno = error;
		fd = next;
	}
	free(chain);
	return fd;
}
