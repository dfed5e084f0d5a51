// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The directories of a walk: nodes, paths and descriptors. walk/walk.c and walk/read.c
 * make them.
 */
#include "walk/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * O_PATH needs no right to read the directory, and a descriptor of that kind is
 * enough to find and to rename what the directory holds.
 */
#define PATH_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)

struct walk_dir *walk_ref(struct walk_dir *dir)
{
	atomic_fetch_add(&dir->refs, 1);
	return dir;
}

void walk_unref(struct walk_dir *dir)
{
	while (dir && atomic_fetch_sub(&dir->refs, 1) == 1) {
		struct walk_dir *parent = dir->parent;

		if (!parent && dir->fd >= 0)
			close(dir->fd);
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
	dir->jump = dir;
	if (parent) {
		const struct walk_dir *far = parent->jump;

		dir->parent = walk_ref(parent);
		dir->depth = parent->depth + 1;
		dir->root = parent->root;
		/* Two jumps of the same length are joined to a longer one. */
		dir->jump = parent->depth - far->depth ==
						    far->depth - far->jump->depth ?
				    far->jump :
				    parent;
	}
	return dir;
}

/* In O(log depth) steps: E. Myers, An applicative random-access stack, 1983. */
const struct walk_dir *walk_above(const struct walk_dir *dir, unsigned int depth)
{
	while (dir->depth > depth)
		dir = dir->jump->depth >= depth ? dir->jump : dir->parent;
	return dir;
}

/*
 * Climb from both directories to two ancestors of the same depth that are one
 * directory, or have one parent, or are roots.
 */
static void climb(const struct walk_dir **a, const struct walk_dir **b)
{
	*a = walk_above(*a, (*b)->depth);
	*b = walk_above(*b, (*a)->depth);
	while (*a != *b && (*a)->parent != (*b)->parent) {
		bool far = (*a)->jump != (*b)->jump;

		*a = far ? (*a)->jump : (*a)->parent;
		*b = far ? (*b)->jump : (*b)->parent;
	}
}

const struct walk_dir *walk_common(const struct walk_dir *a, const struct walk_dir *b)
{
	climb(&a, &b);
	return a == b ? a : a->parent;
}

int walk_compare(const struct walk_dir *a, const struct walk_dir *b)
{
	unsigned int depth_a = a->depth, depth_b = b->depth;

	if (a == b)
		return 0;
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	climb(&a, &b);
	if (a != b)
		return strcmp(a->name, b->name);
	return depth_a > depth_b ? -1 : 1;
}

/* The directories from the root to this one, depth + 1 of them; to be freed. */
static const struct walk_dir **chain_of(const struct walk_dir *dir)
{
	const struct walk_dir **chain = must(malloc((dir->depth + 1) * sizeof(*chain)));

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
	const struct walk_dir *root = walk_above(dir, 0);

	text_puts(path, root->alias ? root->alias : root->name);
	walk_relative_path(path, dir);
	if (name)
		add_component(path, name, len);
}

void walk_plain_path(struct text *plain, const char *path)
{
	text_puts(plain, *path == '/' ? "/" : "./");
	while (*path) {
		size_t len = strcspn(path, "/");

		if (len && !(len == 1 && *path == '.')) {
			text_add(plain, path, len);
			text_puts(plain, "/");
		}
		path += len + (path[len] == '/');
	}
	text_add(plain, "", 1);
	plain->len--;
}

void walk_relative_path(struct text *path, const struct walk_dir *dir)
{
	const struct walk_dir **chain = chain_of(dir);

	for (unsigned int i = 1; i <= dir->depth; i++)
		add_component(path, chain[i]->name, chain[i]->len);
	free(chain);
}

void walk_complain(const struct walk_dir *dir, const char *name, const char *message)
{
	text_auto path = { 0 };

	walk_path(&path, dir, name, name ? strlen(name) : 0);
	complain(path.bytes, path.len, "%s", message);
}

/*
 * Return the descriptor if what has been opened is the directory that was
 * meant; otherwise close the descriptor and return -1 with errno.
 */
static int verify(int fd, const struct walk_dir *dir)
{
	struct identity id;
	int error;

	if (fd < 0)
		return -1;
	error = identity_get(fd, "", &id);
	if (!error && !identity_same(&id, &dir->id))
		error = ESTALE;
	if (!error)
		return fd;
	close(fd);
	errno = error;
	return -1;
}

int walk_open_straight(const char *path)
{
	int flags = PATH_FLAGS | O_NOFOLLOW;
	int fd = open(*path == '/' ? "/" : ".", flags);
	char *copy = must(strdup(path));
	char *rest = copy, *name;

	while (fd >= 0 && (name = strsep(&rest, "/"))) {
		int next, error;

		if (!*name)
			continue;
		next = openat(fd, name, flags);
		error = errno;
		close(fd);
		errno = error;
		fd = next;
	}
	free(copy);
	return fd;
}

int walk_open_root(const struct walk_dir *root)
{
	if (root->fd >= 0)
		return fcntl(root->fd, F_DUPFD_CLOEXEC, 0);
	return verify(open(root->len ? root->name : ".", PATH_FLAGS), root);
}

int walk_step(int fd, const struct walk_dir *dir, bool follow)
{
	int flags = PATH_FLAGS | (follow ? 0 : O_NOFOLLOW);
	int next = verify(openat(fd, dir->name, flags), dir);
	int error = errno;

	if (next < 0 && dir->alias) {
		next = verify(openat(fd, dir->alias, flags), dir);
		/*
		 * An error under the directory's name says more than the
		 * absence of its alias.
		 */
		if (next < 0 && errno == ENOENT)
			errno = error;
	}
	return next;
}

int walk_open(const struct walk_dir *dir, bool follow)
{
	const struct walk_dir **chain = chain_of(dir);
	int fd = walk_open_root(chain[0]);

	for (unsigned int i = 1; i <= dir->depth && fd >= 0; i++) {
		int next = walk_step(fd, chain[i], follow);
		int error = errno;

		close(fd);
		errno = error;
		fd = next;
	}
	free(chain);
	return fd;
}
