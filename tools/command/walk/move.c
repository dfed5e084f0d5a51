// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A rename that replaces nothing and loses nothing, also on file systems without
 * renameat2(2)'s flags. fix and undo call it.
 */
#include "walk/move.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static bool is_expected(int dir, const char *name, const struct identity *id)
{
	struct identity found;

	return !identity_get(dir, name, &found) && identity_same(&found, id);
}

/* rename(2) replaces an empty directory only by a directory. */
static int move_dir(int dir, const char *from, const char *to)
{
	int error;

	if (mkdirat(dir, to, 0700))
		return errno;
	if (!renameat(dir, from, dir, to))
		return 0;
	error = errno;
	unlinkat(dir, to, AT_REMOVEDIR);
	return error;
}

static bool is_same(int dir, const char *a, const char *b)
{
	struct identity id;

	return !identity_get(dir, a, &id) && is_expected(dir, b, &id);
}

static int move_by_link(int dir, const char *from, const char *to,
			const struct identity *id)
{
	int error = 0;

	if (linkat(dir, from, dir, to, 0))
		return errno == EPERM || errno == EINVAL ? ENOTSUP : errno;
	if (!is_expected(dir, to, id) || !is_expected(dir, from, id))
		error = ESTALE;
	else if (unlinkat(dir, from, 0))
		error = errno;
	/* by now the new name may be that of a file that somebody else has put there */
	if (error && (is_expected(dir, to, id) || is_same(dir, from, to)))
		unlinkat(dir, to, 0);
	return error;
}

int move_name(int dir, const char *from, const char *to, const struct identity *id)
{
	int error = 0;

	if (renameat2(dir, from, dir, to, RENAME_NOREPLACE))
		error = errno;
	if (error == EINVAL && !is_expected(dir, from, id))
		error = ESTALE;
	else if (error == EINVAL && S_ISDIR(id->type))
		error = move_dir(dir, from, to);
	else if (error == EINVAL)
		error = move_by_link(dir, from, to, id);
	if (error || is_expected(dir, to, id))
		return error;
	/*
	 * Another file took the place of the expected one just before the
	 * rename: that file gets its own name back.
	 */
	error = ESTALE;
	if (renameat2(dir, to, dir, from, RENAME_NOREPLACE) && errno == EINVAL)
		move_dir(dir, to, from);
	return error;
}

char *move_read_target(int dir, const char *name)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(dir, name, target, sizeof(target));

	return len < 0 ? NULL : must(strndup(target, (size_t)len));
}

static bool points_to(int dir, const char *name, const char *target)
{
	char *found = move_read_target(dir, name);
	bool same = found && !strcmp(found, target);

	free(found);
	return same;
}

/*
 * Make a symbolic link with the owner and the times of another: 0, or an errno value.
 * Owner and times are set by a descriptor of the link. A user who can write to the
 * directory may have put another file into the place of the link. The owner of that
 * file must not change.
 */
static int make_link(int dir, const char *name, const char *target,
		     const struct stat *like)
{
	struct timespec times[2] = { like->st_atim, like->st_mtim };
	char found[PATH_MAX];
	int fd, error = 0;
	ssize_t len;

	if (symlinkat(target, dir, name))
		return errno;
	fd = openat(dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno;
	/* This fails when the descriptor is of no link. */
	len = readlinkat(fd, "", found, sizeof(found));
	if (len < 0 || (size_t)len != strlen(target) ||
	    memcmp(found, target, (size_t)len) != 0)
		error = ESTALE;
	else if (fchownat(fd, "", like->st_uid, like->st_gid, AT_EMPTY_PATH))
		error = errno;
	else if (utimensat(fd, "", times, AT_EMPTY_PATH) && errno != EINVAL)
		/* Linux knows AT_EMPTY_PATH here since 5.8 */
		error = errno;
	close(fd);
	return error;
}

/* Where the file system cannot exchange two names, the new link replaces the old one. */
static int replace_link(int dir, const char *name, const char *old, const char *scratch)
{
	int error = ESTALE;

	if (points_to(dir, name, old))
		error = renameat(dir, scratch, dir, name) ? errno : 0;
	return error;
}

int move_target(int dir, const char *name, const char *old, const char *new,
		const char *scratch)
{
	struct stat st;
	int error = ESTALE;

	if (!points_to(dir, name, old) || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return error;
	error = make_link(dir, scratch, new, &st);
	if (error == EEXIST)
		return error;
	if (!error && renameat2(dir, scratch, dir, name, RENAME_EXCHANGE)) {
		error = errno;
		if (error == EINVAL)
			error = replace_link(dir, name, old, scratch);
	} else if (!error && !points_to(dir, scratch, old)) {
		/*
		 * The name was another file's just before the exchange: that
		 * file goes back to its place.
		 */
		renameat2(dir, scratch, dir, name, RENAME_EXCHANGE);
		error = ESTALE;
	}
	/*
	 * The scratch name now belongs to the old link, or to a new link that was not
	 * needed.
	 */
	if (points_to(dir, scratch, error ? new : old))
		unlinkat(dir, scratch, 0);
	return error;
}
