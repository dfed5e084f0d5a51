// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "journal.h"
#include "text.h"

struct undo {
	bool apply, quiet;
	const char *root, *dir;		/* what fd is */
	int fd;
	unsigned long long done, troubles;
};

/* Open root/dir, name by name, through no symbolic link below the root. */
static int open_below(const char *root, const char *dir)
{
	char *copy = must(strdup(dir));
	char *rest = copy, *name;
	int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (fd >= 0 && (name = strsep(&rest, "/"))) {
		int next, error;

		if (!strcmp(name, "."))
			continue;
		if (!*name || !strcmp(name, "..")) {
			errno = EINVAL;
			next = -1;
		} else {
			next = openat(fd, name, O_RDONLY | O_DIRECTORY |
							O_NOFOLLOW | O_CLOEXEC);
		}
		error = errno;
		close(fd);
		errno = error;
		fd = next;
	}
	free(copy);
	return fd;
}

static void name_path(struct text *path, const struct undo *undo,
		      const char *name)
{
	text_puts(path, undo->root);
	text_puts(path, "/");
	if (strcmp(undo->dir, ".") != 0) {
		text_puts(path, undo->dir);
		text_puts(path, "/");
	}
	text_puts(path, name);
}

static void trouble(struct undo *undo, const char *name, const char *message)
{
	struct text path = { 0 };

	undo->troubles++;
	name_path(&path, undo, name);
	complain(path.bytes, path.len, "%s", message);
	text_free(&path);
}

static void say(const struct undo *undo, const struct journal_record *record)
{
	struct text path = { 0 }, line = { 0 };

	if (undo->quiet)
		return;
	name_path(&path, undo, record->new);
	text_escape(&line, path.bytes, path.len);
	text_puts(&line, " -> ");
	text_escape(&line, record->old, strlen(record->old));
	text_puts(&line, "\n");
	text_emit(&line);
	text_free(&path);
	text_free(&line);
}

static bool exists(int fd, const char *name)
{
	struct stat st;

	return !fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW);
}

static void undo_one(struct undo *undo, const struct journal_record *record)
{
	bool new = exists(undo->fd, record->new);
	bool old = exists(undo->fd, record->old);

	if (old && !new)
		return;		/* never renamed, or given back already */
	if (!new) {
		trouble(undo, record->new, "neither it nor the old name is "
					   "there");
		return;
	}
	if (old) {
		trouble(undo, record->new, "the old name is there too; both "
					   "stay as they are");
		return;
	}
	if (undo->apply && renameat2(undo->fd, record->new, undo->fd,
				     record->old, RENAME_NOREPLACE)) {
		trouble(undo, record->new,
			errno == EILSEQ ?
				"the mount enforces UTF-8; remount it with "
				"utf8val=audit first" :
				strerror(errno));
		return;
	}
	undo->done++;
	say(undo, record);
}

/* Have the current directory be that of the record. */
static bool enter(struct undo *undo, const char *root, const char *dir)
{
	if (undo->root == root && undo->dir == dir)
		return undo->fd >= 0;
	if (undo->fd >= 0)
		close(undo->fd);
	undo->root = root;
	undo->dir = dir;
	undo->fd = open_below(root, dir);
	if (undo->fd < 0 && (undo->apply || errno != ENOENT))
		trouble(undo, "", strerror(errno));
	return undo->fd >= 0;
}

int undo(const char *journal, const char *root, bool apply, bool quiet)
{
	struct undo undo = { .apply = apply, .quiet = quiet, .fd = -1 };
	struct journal_records journaled;

	if (!journal_read(journal, &journaled))
		return STATUS_TROUBLE;
	for (size_t i = journaled.count; i-- > 0 && !interrupted;) {
		const struct journal_record *record = &journaled.records[i];

		if (record->failed)
			continue;
		if (enter(&undo, root ? root : record->root, record->dir))
			undo_one(&undo, record);
		else if (!apply)
			/* its directory would have its old name back by then */
			say(&undo, record);
	}
	if (undo.fd >= 0)
		close(undo.fd);
	fflush(stdout);
	fprintf(stderr, "utf8val: %llu %s, %llu troubles\n", undo.done,
		apply ? "given back" : "to give back", undo.troubles);
	return undo.troubles || interrupted ? STATUS_TROUBLE : STATUS_GOOD;
}
