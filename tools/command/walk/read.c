// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The reading of one directory in a walk, entry by entry. walk/walk.c calls it in each
 * thread.
 */
#include "walk/read.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "walk/app_data.h"
#include "walk/filter.h"

static int stat_entry(int fd, const char *name, bool follow, struct statx *st)
{
	/*
	 * A look at an automount point must not mount anything. Neither type nor number of a
	 * file change, so no server is asked for them: a user's FUSE server may not answer.
	 */
	int flags = AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC | (follow ? 0 : AT_SYMLINK_NOFOLLOW);
	int error = statx(fd, name, flags, STATX_TYPE | STATX_INO, st);

	/* root may not look at a user's FUSE, only at the number of its device */
	if (error && errno == EACCES)
		error = statx(fd, name, flags, 0, st);
	return error;
}

/*
 * Is this directory one of its own ancestors? Only a followed symbolic link
 * leads to such a loop.
 */
static bool is_loop(const struct walk_dir *dir)
{
	for (const struct walk_dir *d = dir->parent; d; d = d->parent) {
		if (d->id.ino == dir->id.ino && d->id.dev == dir->id.dev)
			return true;
	}
	return false;
}

/*
 * Make sure that what has been opened is what was looked at before: a mount may
 * have come or gone in between.
 */
static int identify(int fd, struct walk_dir *dir, const struct statx *seen)
{
	const struct walk_dir *parent = dir->parent;
	int error = identity_get(fd, "", &dir->id);

	if (error)
		return error;
	if (parent && parent->id.dev == dir->id.dev)
		identity_settle_in(&parent->id, &dir->id);
	else
		identity_settle(fd, &dir->id);
	if (dir->id.dev != makedev(seen->stx_dev_major, seen->stx_dev_minor) ||
	    (dir->id.lasting && dir->id.ino != seen->stx_ino))
		error = ESTALE;
	return error;
}

static bool is_other_device(const struct walk_dir *parent, const struct statx *st)
{
	return (st->stx_attributes & STATX_ATTR_AUTOMOUNT) ||
	       parent->id.dev != makedev(st->stx_dev_major, st->stx_dev_minor);
}

int walk_enter(struct walk *walk, struct walk_dir *dir)
{
	struct walk_dir *parent = dir->parent;
	bool follow = walk->follow || !parent, straight = !parent && walk->straight;
	const char *name = straight ? "." : dir->name;
	struct statx st;
	int at = AT_FDCWD;
	int fd = -1, error = 0;

	if (parent)
		at = parent->fd >= 0 ? parent->fd : walk_open(parent, walk->follow);
	else if (straight)
		at = walk_open_straight(dir->name);
	if (((parent || straight) && at < 0) || stat_entry(at, name, follow, &st)) {
		error = errno;
		goto out;
	}
	if (parent && !walk->cross && is_other_device(parent, &st))
		goto out;
	fd = openat(at, name, WALK_OPEN_FLAGS | (follow ? 0 : O_NOFOLLOW));
	error = fd < 0 ? errno : identify(fd, dir, &st);
	if (!error && walk->follow && is_loop(dir))
		error = ELOOP;
out:
	if (error) {
		if (straight && (error == ELOOP || error == ENOTDIR))
			walk_complain(dir, NULL, "a symbolic link is in the way of this tree. If "
				      "you mean its target, name that");
		else
			walk_complain(dir, NULL, identity_error(error));
		atomic_fetch_add(&walk->troubles, 1);
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	if (at >= 0 && (!parent || parent->fd < 0))
		close(at);
	return fd;
}

static bool is_dots(const char *name)
{
	return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static void visit_entry(struct walk_visit *visit, const struct dirent64 *entry,
			struct walk_dir **found)
{
	struct walk *walk = visit->walk;
	unsigned char type = entry->d_type;
	size_t len = strlen(entry->d_name);
	struct statx st;

	/* what is left out tells whose directory this is, too */
	app_data_note(visit->dir, entry->d_name, len);
	if (walk->exclude_count && walk_excludes(walk, visit->dir, entry->d_name, len))
		return;
	if (type == DT_UNKNOWN) {
		if (!stat_entry(visit->fd, entry->d_name, false, &st))
			type = (unsigned char)IFTODT(st.stx_mode);
		else	/* it may be a directory, which will not be read */
			walk_trouble(walk, visit->dir, entry->d_name, errno);
	}
	if (type == DT_LNK && walk->follow &&
	    !stat_entry(visit->fd, entry->d_name, true, &st))
		type = (unsigned char)IFTODT(st.stx_mode);
	walk->entry(visit, entry->d_name, len, type);
	if (type == DT_DIR &&
	    (!walk->limited || visit->dir->depth + 1 < walk->max_depth)) {
		struct walk_dir *dir = walk_new(visit->dir, entry->d_name, len);

		dir->next = *found;
		*found = dir;
	}
}

struct walk_dir *walk_read(struct walk_visit *visit, char *buffer)
{
	struct walk_dir *found = NULL;
	unsigned long long entries = 0;
	ssize_t bytes = 0;

	while (!interrupted &&
	       (bytes = getdents64(visit->fd, buffer, WALK_READ_BYTES)) > 0) {
		for (ssize_t at = 0; at < bytes;) {
			const struct dirent64 *entry =
				(const struct dirent64 *)(buffer + at);

			at += entry->d_reclen;
			if (is_dots(entry->d_name))
				continue;
			entries++;
			visit_entry(visit, entry, &found);
		}
		atomic_fetch_add_explicit(&visit->walk->entries, entries,
					  memory_order_relaxed);
		entries = 0;
	}
	if (!interrupted && bytes < 0)
		walk_trouble(visit->walk, visit->dir, NULL, errno);
	return found;
}

bool walk_own_name(struct walk *walk, struct walk_dir *root, void **thread_data)
{
	struct walk_visit visit = { .walk = walk, .thread_data = *thread_data };
	size_t begin = root->len;
	bool is_dir = true;
	struct statx st;
	char *name;
	int error;

	while (begin && root->name[begin - 1] != '/')
		begin--;
	name = must(strdup(root->name + begin));
	/* The last components of "/", "." and "a/.." are no names that anybody gave. */
	if (!*name || is_dots(name))
		goto out;
	visit.dir = walk_new(NULL, root->name, begin > 1 ? begin - 1 : begin);
	visit.dir->root = root->root | WALK_OWN_NAME;
	visit.fd = open(begin ? visit.dir->name : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	error = visit.fd < 0 ? errno : identity_get(visit.fd, "", &visit.dir->id);
	if (!error && stat_entry(visit.fd, name, false, &st))
		error = errno;
	if (error) {
		walk_trouble(walk, root, NULL, error);
		is_dir = false;
	} else {
		identity_settle(visit.fd, &visit.dir->id);
		walk->entry(&visit, name, strlen(name),
			    (unsigned char)IFTODT(st.stx_mode));
		if (walk->leave)
			walk->leave(&visit);
		if (S_ISLNK(st.stx_mode) && stat_entry(visit.fd, name, true, &st))
			is_dir = false;
		is_dir = is_dir && S_ISDIR(st.stx_mode);
		atomic_fetch_add(&walk->entries, !is_dir);
	}
	if (visit.fd >= 0)
		close(visit.fd);
	*thread_data = visit.thread_data;
	walk_unref(visit.dir);
out:
	free(name);
	return is_dir;
}
