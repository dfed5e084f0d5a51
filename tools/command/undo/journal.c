// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Writing of a journal: each record is on the disk before anything is renamed. fix and
 * undo call it.
 */
#include "undo/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "undo/journal_read.h"

#define FIRST_LINE "utf8val journal 2\n"

static void add_field(struct text *text, const char *bytes)
{
	text_add(text, " ", 1);
	for (; *bytes; bytes++) {
		if (*bytes > ' ' && *bytes < 0x7F && *bytes != '%') {
			text_add(text, bytes, 1);
		} else {
			text_add(text, "%", 1);
			text_hex(text, bytes, 1, 0);
		}
	}
}

/*
 * A new file or directory survives a crash only when the directory that it is in has been
 * synchronised, too.
 */
static bool sync_parent(const char *path)
{
	char *copy = must(strdup(path));
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = fd >= 0 && (!fsync(fd) || errno == EINVAL);
	int error = errno;

	if (fd >= 0)
		close(fd);
	free(copy);
	errno = error;
	return good;
}

/*
 * Make the directories above a file, as mkdir -p does, with rights for their owner alone.
 */
static bool make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		bool good;

		*slash = '\0';
		good = mkdir(path, 0700) ? errno == EEXIST : sync_parent(path);
		*slash = '/';
		if (!good)
			return false;
	}
	return true;
}

char *journal_room(void)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	char *path = NULL;
	int made;

	if (state && *state == '/')
		made = asprintf(&path, "%s/utf8val", state);
	else if (home && *home == '/')
		made = asprintf(&path, "%s/.local/state/utf8val", home);
	else
		return NULL;
	return must(made < 0 ? NULL : path);
}

char *journal_user(void)
{
	const char *sudo = getenv("SUDO_USER");
	char number[16] = "";
	ssize_t len = 0;
	int fd;

	if (sudo && *sudo)
		return must(strdup(sudo));
	fd = open("/proc/self/loginuid", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		len = read(fd, number, sizeof(number) - 1);
		close(fd);
	}
	/* A loginuid of all ones means that the process belongs to no login. */
	if (len <= 0 || !strcmp(number, "4294967295"))
		snprintf(number, sizeof(number), "%u", getuid());
	return must(strdup(number));
}

char *journal_host(void)
{
	struct utsname name;

	return must(strdup(uname(&name) || !*name.nodename ? "unknown" : name.nodename));
}

static bool is_host_character(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
	       c == '-' || c == '.';
}

static char *default_path(void)
{
	char *room = journal_room(), *path = NULL;
	time_t now = time(NULL);
	uint64_t random = 0;
	struct tm tm;
	char stamp[32], *host;

	if (!room)
		return NULL;
	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", gmtime_r(&now, &tm));
	/* processes of containers have the same numbers, and servers share a directory */
	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		random = (uint64_t)getpid();
	host = journal_host();
	for (char *c = host; *c; c++)
		*c = is_host_character(*c) ? *c : '_';
	if (asprintf(&path, "%s/fix-%s-%.64s-%016" PRIx64 ".journal", room, stamp, host,
		     random) < 0)
		path = NULL;
	free(host);
	free(room);
	return must(path);
}

bool journal_create(struct journal *journal, const char *path)
{
	char *user, *host;

	*journal = (struct journal){ .fd = -1 };
	journal->path = path ? must(strdup(path)) : default_path();
	if (!journal->path) {
		complain(NULL, 0, "XDG_STATE_HOME and HOME are not set, so there is no "
				  "directory for the journal. Run the same command "
				  "with --journal=FILE");
		return false;
	}
	if (path || make_parents(journal->path))
		journal->fd = open(journal->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND |
					   O_CLOEXEC,
				   0600);
	if (journal->fd < 0 || !sync_parent(journal->path)) {
		complain_errno(journal->path, strlen(journal->path), errno);
		if (journal->fd >= 0) {
			unlink(journal->path);
			close(journal->fd);
		}
		journal->fd = -1;
		return false;
	}
	user = journal_user();
	text_printf(&journal->pending, FIRST_LINE "run %lld %u",
		    (long long)time(NULL), geteuid());
	add_field(&journal->pending, user);
	host = journal_host();
	add_field(&journal->pending, host);
	text_puts(&journal->pending, "\n");
	free(host);
	free(user);
	return true;
}

char *journal_path_now(const struct journal *journal)
{
	char link[40], path[PATH_MAX];
	struct stat there, own;
	ssize_t len = -1;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", journal->fd);
	if (stat(journal->path, &there) || fstat(journal->fd, &own) ||
	    there.st_dev != own.st_dev || there.st_ino != own.st_ino)
		len = readlink(link, path, sizeof(path));
	return must(len > 0 ? strndup(path, (size_t)len) : strdup(journal->path));
}

unsigned long long journal_file_system(int fd)
{
	struct statfs fs;
	unsigned long long number = 0;

	if (!fstatfs(fd, &fs))
		memcpy(&number, &fs.f_fsid, sizeof(number));
	return number;
}

static void add_number(struct text *text, unsigned long long number)
{
	text_printf(text, " %llu", number);
}

static void add_identity(struct text *text, const struct identity *id)
{
	add_number(text, id->lasting ? id->ino : 0);
	add_number(text, id->born);
}

/* Give a directory its number in the journal. */
static void number_dir(struct journal *journal, struct walk_dir *dir)
{
	*array_next(journal->fresh, journal->fresh_count, journal->fresh_room) =
		dir;
	dir->record = ++journal->dirs;
}

static int add_root(struct journal *journal, struct walk_dir *root)
{
	int fd = walk_open_root(root);
	char *path = fd < 0 ? NULL : realpath(root->len ? root->name : ".", NULL);
	int error = path ? 0 : errno == ENAMETOOLONG ? JOURNAL_DEEP : errno;

	if (path) {
		number_dir(journal, root);
		text_printf(&journal->pending, "root %llu", root->record);
		add_field(&journal->pending, path);
		add_number(&journal->pending, root->id.dev);
		add_number(&journal->pending, journal_file_system(fd));
		add_identity(&journal->pending, &root->id);
		text_puts(&journal->pending, "\n");
	}
	free(path);
	if (fd >= 0)
		close(fd);
	return error;
}

int journal_dir(struct journal *journal, struct walk_dir *dir)
{
	size_t missing = 0;
	struct walk_dir **chain, *d;
	int error = 0;

	for (d = dir; d && !d->record; d = d->parent)
		missing++;
	if (!missing)
		return 0;
	chain = must(malloc(missing * sizeof(*chain)));
	d = dir;
	for (size_t i = missing; i-- > 0; d = d->parent)
		chain[i] = d;
	for (size_t i = 0; i < missing && !error; i++) {
		d = chain[i];
		if (!d->depth) {
			error = add_root(journal, d);
			continue;
		}
		number_dir(journal, d);
		text_printf(&journal->pending, "dir %llu %llu", d->record,
			    d->parent->record);
		add_field(&journal->pending, d->name);
		add_number(&journal->pending, d->id.dev);
		add_identity(&journal->pending, &d->id);
		text_puts(&journal->pending, "\n");
	}
	free(chain);
	return error;
}

int journal_name(struct journal *journal, struct walk_dir *dir,
		 const struct identity *id, const char *old, const char *new,
		 unsigned long long *record)
{
	int error = journal_dir(journal, dir);

	if (error)
		return error;
	text_printf(&journal->pending, "name %llu %c", dir->record,
		    journal_type_letter(id->type));
	add_identity(&journal->pending, id);
	add_field(&journal->pending, old);
	add_field(&journal->pending, new);
	text_puts(&journal->pending, "\n");
	*record = ++journal->records;
	return 0;
}

int journal_link(struct journal *journal, struct walk_dir *dir,
		 const char *name, const char *old, const char *new,
		 const char *scratch, unsigned long long *record)
{
	int error = journal_dir(journal, dir);

	if (error)
		return error;
	text_printf(&journal->pending, "link %llu", dir->record);
	add_field(&journal->pending, name);
	add_field(&journal->pending, old);
	add_field(&journal->pending, new);
	add_field(&journal->pending, scratch);
	text_puts(&journal->pending, "\n");
	*record = ++journal->records;
	return 0;
}

static bool write_pending(struct journal *journal)
{
	struct text *pending = &journal->pending;
	size_t done = 0;

	while (done < pending->len) {
		ssize_t wrote = write(journal->fd, pending->bytes + done,
				      pending->len - done);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0) {
			if (!wrote)
				errno = ENOSPC;
			return false;
		}
		done += (size_t)wrote;
	}
	pending->len = 0;
	return true;
}

/* Drop the records that have not reached the disk, also from the journal's file. */
static void drop_pending(struct journal *journal)
{
	journal->broken = ftruncate(journal->fd, journal->committed) != 0;
	journal->pending.len = 0;
	journal->dirs -= journal->fresh_count;
	journal->records = journal->committed_records;
	while (journal->fresh_count)
		journal->fresh[--journal->fresh_count]->record = 0;
}

bool journal_commit(struct journal *journal)
{
	int error;

	text_printf(&journal->pending, "commit %llu\n", journal->records);
	if (!journal->broken && write_pending(journal) && !fsync(journal->fd)) {
		journal->committed = lseek(journal->fd, 0, SEEK_END);
		journal->committed_records = journal->records;
		journal->fresh_count = 0;
		return true;
	}
	error = journal->broken ? EIO : errno;
	drop_pending(journal);
	complain(journal->path, strlen(journal->path),
		 "%s; nothing more is renamed without a journal",
		 strerror(error));
	return false;
}

void journal_failed(struct journal *journal, unsigned long long record)
{
	/* A record that drop_pending() took back needs no outcome. */
	if (record <= journal->records)
		text_printf(&journal->pending, "failed %llu\n", record);
}

void journal_close(struct journal *journal, bool done, bool ended)
{
	if (!done)
		unlink(journal->path);
	else if (ended)
		text_printf(&journal->pending, "end %llu\n", journal->records);
	/* Half a line at the end would make the whole journal doubtful. */
	if (done && !journal->broken && !write_pending(journal) &&
	    ftruncate(journal->fd, journal->committed))
		complain_errno(journal->path, strlen(journal->path), errno);
	close(journal->fd);
	text_free(&journal->pending);
	free(journal->fresh);
	free(journal->path);
}

void journal_add_undone(const char *path, const struct journal_run *run)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
	struct journal journal = { .fd = fd };
	struct identity id;

	if (fd < 0)
		return;
	if (!identity_get(fd, "", &id) && identity_same(&id, &run->file)) {
		journal.committed = lseek(fd, 0, SEEK_END);
		text_printf(&journal.pending, "undone %lld\n", (long long)time(NULL));
		/* half a line would make the whole journal doubtful */
		if (write_pending(&journal))
			fsync(fd);
		else if (journal.committed >= 0)
			drop_pending(&journal);
		text_free(&journal.pending);
	}
	close(fd);
}
