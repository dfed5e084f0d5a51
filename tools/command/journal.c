// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "utf8val.h"

#define FIRST_LINE "utf8val journal 1\n"

static void add_field(struct text *text, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] > ' ' && bytes[i] < 0x7F && bytes[i] != '%')
			text_add(text, bytes + i, 1);
		else
			text_printf(text, "%%%02X", (unsigned char)bytes[i]);
	}
}

/* Make the directories above a file, as mkdir -p does, for nobody else. */
static bool make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		bool good;

		*slash = '\0';
		good = !mkdir(path, 0700) || errno == EEXIST;
		*slash = '/';
		if (!good)
			return false;
	}
	return true;
}

static char *default_path(void)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	time_t now = time(NULL);
	struct tm tm;
	char stamp[32];
	char *path = NULL;
	int made;

	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", gmtime_r(&now, &tm));
	if (state && *state == '/')
		made = asprintf(&path, "%s/utf8val/fix-%s-%d.journal", state,
				stamp, getpid());
	else if (home && *home == '/')
		made = asprintf(&path,
				"%s/.local/state/utf8val/fix-%s-%d.journal",
				home, stamp, getpid());
	else
		return NULL;
	return must(made < 0 ? NULL : path);
}

/* A new file is there for good only when its directory is on the disk too. */
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

bool journal_create(struct journal *journal, const char *path)
{
	*journal = (struct journal){ .fd = -1 };
	journal->path = path ? must(strdup(path)) : default_path();
	if (!journal->path) {
		complain(NULL, 0, "neither XDG_STATE_HOME nor HOME says where "
				  "a journal can be kept; use --journal");
		return false;
	}
	if (path || make_parents(journal->path))
		journal->fd = open(journal->path,
				   O_WRONLY | O_CREAT | O_EXCL | O_APPEND |
					   O_CLOEXEC,
				   0600);
	if (journal->fd < 0 || !sync_parent(journal->path)) {
		complain_errno(journal->path, strlen(journal->path), errno);
		return false;
	}
	text_puts(&journal->pending, FIRST_LINE);
	return true;
}

void journal_root(struct journal *journal, const char *path)
{
	text_puts(&journal->pending, "root ");
	add_field(&journal->pending, path, strlen(path));
	text_puts(&journal->pending, "\n");
}

void journal_dir(struct journal *journal, const void *path, size_t len)
{
	text_puts(&journal->pending, "dir ");
	add_field(&journal->pending, path, len);
	text_puts(&journal->pending, "\n");
}

unsigned long long journal_name(struct journal *journal, const void *old,
				size_t old_len, const void *new,
				size_t new_len)
{
	text_puts(&journal->pending, "name ");
	add_field(&journal->pending, old, old_len);
	text_puts(&journal->pending, " ");
	add_field(&journal->pending, new, new_len);
	text_puts(&journal->pending, "\n");
	return ++journal->names;
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

bool journal_commit(struct journal *journal)
{
	if (write_pending(journal) && !fsync(journal->fd))
		return true;
	complain(journal->path, strlen(journal->path),
		 "%s; nothing more is renamed without a journal",
		 strerror(errno));
	return false;
}

void journal_failed(struct journal *journal, unsigned long long name)
{
	text_printf(&journal->pending, "failed %llu\n", name);
}

void journal_close(struct journal *journal)
{
	if (journal->fd >= 0) {
		if (journal->names)
			write_pending(journal);
		else
			unlink(journal->path);
		close(journal->fd);
	}
	text_free(&journal->pending);
	free(journal->path);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Undo the %HH of a field, up to a space or the end; NULL if it is none. */
static char *parse_field(const char **line)
{
	const char *s = *line;
	char *field = must(malloc(strlen(s) + 1));
	size_t len = 0;

	while (*s && *s != ' ') {
		char byte = *s++;

		if (byte == '%') {
			int high = hex_digit(s[0]);
			int low = high < 0 ? -1 : hex_digit(s[1]);

			if (low < 0 || !(high | low))
				goto bad;
			byte = (char)(high << 4 | low);
			s += 2;
		}
		field[len++] = byte;
	}
	if (!len)
		goto bad;
	if (*s == ' ')
		s++;
	field[len] = '\0';
	*line = s;
	return field;
bad:
	free(field);
	return NULL;
}

/* Can this be one component of a path that stays where it is? */
static bool is_name(const char *name)
{
	return name && !strchr(name, '/') && strcmp(name, ".") &&
	       strcmp(name, "..");
}

struct parser {
	struct journal_records *out;
	size_t room;
	const char *root, *dir;
};

static bool parse_line(struct parser *parser, const char *line)
{
	struct journal_records *out = parser->out;

	if (!strncmp(line, "root /", 6)) {
		line += 5;
		parser->root = parse_field(&line);
		parser->dir = NULL;
		return parser->root && !*line;
	}
	if (!strncmp(line, "dir ", 4)) {
		line += 4;
		parser->dir = parse_field(&line);
		return parser->dir && !*line;
	}
	if (!strncmp(line, "name ", 5) && parser->root && parser->dir) {
		struct journal_record record = { parser->root, parser->dir,
						 NULL, NULL, false };

		line += 5;
		record.old = parse_field(&line);
		record.new = record.old ? parse_field(&line) : NULL;
		if (*line || !is_name(record.old) || !is_name(record.new))
			return false;
		/* what a fix never did is not undone: no new .profile */
		if (utf8val_valid(record.old, strlen(record.old)) ||
		    !utf8val_valid(record.new, strlen(record.new)))
			return false;
		if (out->count == parser->room) {
			parser->room = parser->room ? 2 * parser->room : 64;
			out->records = must(reallocarray(
				out->records, parser->room,
				sizeof(*out->records)));
		}
		out->records[out->count++] = record;
		return true;
	}
	if (!strncmp(line, "failed ", 7)) {
		char *end;
		unsigned long long number = strtoull(line + 7, &end, 10);

		if (*end || !number || number > out->count)
			return false;
		out->records[number - 1].failed = true;
		return true;
	}
	return false;
}

/*
 * A journal can have any name changed that its reader may change: only their
 * own will do, and only while nobody else can write to it.
 */
static FILE *open_journal(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	struct stat st;

	if (!file || fstat(fd, &st)) {
		complain_errno(path, strlen(path), errno);
	} else if (!S_ISREG(st.st_mode)) {
		complain(path, strlen(path), "this is no file");
	} else if (st.st_uid != geteuid() || st.st_mode & 0022) {
		complain(path, strlen(path), "this journal is somebody else's, "
			 "or others can write to it");
	} else {
		return file;
	}
	if (file)
		fclose(file);
	return NULL;
}

bool journal_read(const char *path, struct journal_records *records)
{
	struct parser parser = { .out = records };
	FILE *file = open_journal(path);
	unsigned long long number = 0;
	char *line = NULL;
	size_t room = 0;
	bool good = true;
	ssize_t len;

	*records = (struct journal_records){ 0 };
	if (!file)
		return false;
	while (good && (len = getline(&line, &room, file)) > 0) {
		/* cut while it was being written */
		if (line[len - 1] != '\n')
			break;
		number++;
		line[len - 1] = '\0';
		if (strlen(line) != (size_t)len - 1)
			good = false;
		else if (number == 1)
			good = !strncmp(line, FIRST_LINE, (size_t)len - 1) &&
			       len == sizeof(FIRST_LINE) - 1;
		else
			good = parse_line(&parser, line);
	}
	if (ferror(file)) {
		complain_errno(path, strlen(path), errno);
		good = false;
	} else if (!good) {
		complain(path, strlen(path),
			 "line %llu is no line of a utf8val journal", number);
	}
	free(line);
	fclose(file);
	return good;
}
