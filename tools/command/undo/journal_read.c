// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Reading a journal. A journal is trusted to report what its owner has done, and never
 * to lead anywhere else. Names are single components, numbers are checked, and undo
 * compares the identity of each directory and file. undo.c and journal_list.c call
 * this.
 */
#include "undo/journal_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "utf8val.h"

/* what the first line of a journal begins with, whatever its version */
#define FAMILY "utf8val journal "
#define FIRST_LINE FAMILY "2"

/*
 * A line may hold any bytes. Each of these functions takes a field, and moves the
 * beginning of the line to what follows the field.
 *
 * The bytes of a field, up to a space or the end of the line, without their %HH
 * escapes; to be freed. NULL when the field is malformed.
 */
static char *field_bytes(const char **line)
{
	const char *s = *line;
	char *field = must(malloc(strlen(s) + 1));
	size_t len = 0;

	while (*s && *s != ' ') {
		char byte = *s++;

		if (byte == '%') {
			int value = text_hex_pair(s);

			if (value <= 0)
				goto bad;
			byte = (char)value;
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

/* Can this be the name of a file? */
static bool is_name(const char *name)
{
	return name && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, "..");
}

/*
 * The same for a field that has to be a name: a single component that leads out
 * of no directory.
 */
static char *field_name(const char **line)
{
	char *name = field_bytes(line);

	if (is_name(name))
		return name;
	free(name);
	return NULL;
}

static bool field_number(const char **line, unsigned long long *number)
{
	char *end;

	if (**line < '0' || **line > '9')
		return false;
	errno = 0;
	*number = strtoull(*line, &end, 10);
	if (errno || (*end && *end != ' '))
		return false;
	*line = *end ? end + 1 : end;
	return true;
}

/* Two fields: an inode number and a time of birth. */
static bool field_identity(const char **line, struct identity *id)
{
	unsigned long long ino, born;

	if (!field_number(line, &ino) || !field_number(line, &born))
		return false;
	id->ino = ino;
	id->born = born;
	id->lasting = ino != 0;
	return true;
}

static const char letters[] = "dflpscb";
static const mode_t types[] = { S_IFDIR, S_IFREG, S_IFLNK, S_IFIFO,
				S_IFSOCK, S_IFCHR, S_IFBLK };

char journal_type_letter(mode_t type)
{
	size_t i = 0;

	while (types[i] != type && letters[i + 1])
		i++;
	return letters[i];
}

static bool field_type(const char **line, mode_t *type)
{
	const char *at = **line ? strchr(letters, **line) : NULL;

	if (!at || (*line)[1] != ' ')
		return false;
	*type = types[at - letters];
	*line += 2;
	return true;
}

struct parser {
	struct journal_run *out;
	size_t record_room, dir_room, file_systems, file_system_room;
	bool begun;			/* the first line was read */
	bool dirty;			/* a record follows the last commit */
};

static struct walk_dir *add_dir(struct parser *parser, struct walk_dir *parent,
				const char *name)
{
	struct journal_run *out = parser->out;
	struct walk_dir *dir = walk_new(parent, name, strlen(name));

	*array_next(out->dirs, out->dir_count, parser->dir_room) = dir;
	*array_next(out->file_systems, parser->file_systems,
		    parser->file_system_room) = 0;
	dir->record = out->dir_count;
	dir->id.type = S_IFDIR;
	return dir;
}

static struct journal_record *add_record(struct parser *parser,
					 struct walk_dir *dir)
{
	struct journal_run *out = parser->out;
	struct journal_record *record =
		array_next(out->records, out->count, parser->record_room);

	*record = (struct journal_record){ .dir = dir };
	return record;
}

static bool find_dir(const struct parser *parser, const char **line,
		     struct walk_dir **dir)
{
	unsigned long long number;

	if (!field_number(line, &number) || !number || number > parser->out->dir_count)
		return false;
	*dir = parser->out->dirs[number - 1];
	return true;
}

static bool parse_run(struct parser *parser, const char *line)
{
	unsigned long long when, uid;

	if (parser->out->user || !field_number(&line, &when) ||
	    !field_number(&line, &uid))
		return false;
	parser->out->when = (time_t)when;
	parser->out->user = field_bytes(&line);
	/* the first journals of this version name no host */
	if (parser->out->user && *line)
		parser->out->host = field_bytes(&line);
	return parser->out->user && !*line;
}

static bool parse_root(struct parser *parser, const char *line)
{
	unsigned long long number, dev, file_system;
	struct walk_dir *root;
	char *path;

	if (!field_number(&line, &number) || number != parser->out->dir_count + 1)
		return false;
	path = field_bytes(&line);
	if (!path || *path != '/') {
		free(path);
		return false;
	}
	root = add_dir(parser, NULL, path);
	free(path);
	if (!field_number(&line, &dev) || !field_number(&line, &file_system) ||
	    !field_identity(&line, &root->id))
		return false;
	root->id.dev = dev;
	parser->out->file_systems[number - 1] = file_system;
	return !*line;
}

static bool parse_dir(struct parser *parser, const char *line)
{
	unsigned long long number, dev;
	struct walk_dir *parent, *dir;
	char *name;

	if (!field_number(&line, &number) || number != parser->out->dir_count + 1 ||
	    !find_dir(parser, &line, &parent))
		return false;
	name = field_name(&line);
	if (!name)
		return false;
	dir = add_dir(parser, parent, name);
	free(name);
	if (!field_number(&line, &dev) || !field_identity(&line, &dir->id))
		return false;
	dir->id.dev = dev;
	return !*line;
}

static bool parse_name(struct parser *parser, const char *line)
{
	struct journal_record *record;
	struct walk_dir *dir;

	if (!find_dir(parser, &line, &dir))
		return false;
	record = add_record(parser, dir);
	record->id.dev = dir->id.dev;
	if (!field_type(&line, &record->id.type) || !field_identity(&line, &record->id))
		return false;
	record->old = field_name(&line);
	record->new = record->old ? field_name(&line) : NULL;
	return record->new && !*line && strcmp(record->old, record->new) &&
	       utf8val_valid(record->new, strlen(record->new));
}

static bool parse_link(struct parser *parser, const char *line)
{
	struct journal_record *record;
	struct walk_dir *dir;

	if (!find_dir(parser, &line, &dir))
		return false;
	record = add_record(parser, dir);
	record->kind = JOURNAL_LINK;
	record->name = field_name(&line);
	record->old = record->name ? field_bytes(&line) : NULL;
	record->new = record->old ? field_bytes(&line) : NULL;
	record->scratch = record->new ? field_name(&line) : NULL;
	return record->scratch && !*line;
}

/*
 * Parse a number of records: that of one record when some is true, otherwise
 * the number of all records read so far.
 */
static bool parse_count(const struct parser *parser, const char *line,
			bool some, unsigned long long *count)
{
	if (!field_number(&line, count) || *line)
		return false;
	return some ? *count && *count <= parser->out->count :
		      *count == parser->out->count;
}

/* Parse a line, given without its newline; false when no journal has such a line. */
static bool parse(struct parser *parser, const char *line)
{
	struct journal_run *out = parser->out;
	const char *rest = strchr(line, ' ');
	size_t word = rest ? (size_t)(rest++ - line) : 0;
	unsigned long long number;

	if (!parser->begun)
		return parser->begun = !strcmp(line, FIRST_LINE);
#define IS(text) (word == sizeof(text) - 1 && !strncmp(line, text, word))
	/* these are added after the names have been changed, and need no commit */
	if (IS("failed")) {
		if (!parse_count(parser, rest, true, &number))
			return false;
		out->records[number - 1].failed = true;
		return true;
	}
	if (IS("undone"))
		return out->undone = field_number(&rest, &number) && !*rest;
	parser->dirty = false;
	if (IS("commit"))
		return parse_count(parser, rest, false, &number);
	if (IS("end"))
		return out->ended = parse_count(parser, rest, false, &number);
	parser->dirty = true;
	if (IS("run"))
		return parse_run(parser, rest);
	if (IS("root"))
		return parse_root(parser, rest);
	if (IS("dir"))
		return parse_dir(parser, rest);
	if (IS("name"))
		return parse_name(parser, rest);
	return IS("link") && parse_link(parser, rest);
#undef IS
}

/*
 * Open a journal. A journal makes its reader change any name that the reader may
 * change. So only a journal of the reader's own is opened, and only while nobody else
 * can write to it.
 */
static FILE *open_journal(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	struct stat st;

	if (!file || fstat(fd, &st)) {
		complain_errno(path, strlen(path), errno);
	} else if (!S_ISREG(st.st_mode)) {
		complain(path, strlen(path), "this is not a regular file");
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

bool journal_read(const char *path, struct journal_run *run)
{
	struct parser parser = { .out = run };
	FILE *file = open_journal(path);
	unsigned long long number = 0;
	char *line = NULL;
	size_t room = 0;
	bool good = true;
	ssize_t len;

	*run = (struct journal_run){ 0 };
	if (!file)
		return false;
	identity_get(fileno(file), "", &run->file);
	while (good && (len = getline(&line, &room, file)) > 0) {
		number++;
		if (line[len - 1] != '\n') {
			/* The line was cut off. A stop of the machine can leave zeros. */
			run->cut = true;
			good = parser.begun;
			break;
		}
		line[len - 1] = '\0';
		good = strlen(line) == (size_t)len - 1 && parse(&parser, line);
	}
	if (ferror(file)) {
		complain_errno(path, strlen(path), errno);
		good = false;
	} else if (!number) {
		complain(path, strlen(path), "this journal is empty");
		good = false;
	} else if (!good) {
		complain(path, strlen(path),
			 "line %llu is not a line of a utf8val journal%s", number,
			 !parser.begun && !run->cut &&
			 !strncmp(line, FAMILY, strlen(FAMILY)) ?
			 " of this version. Run undo of the version that wrote it" : "");
	}
	run->cut |= parser.dirty;
	free(line);
	fclose(file);
	if (!good)
		journal_free(run);
	return good;
}

void journal_free(struct journal_run *run)
{
	for (size_t i = 0; i < run->count; i++) {
		struct journal_record *record = &run->records[i];

		free(record->old);
		free(record->new);
		free(record->name);
		free(record->scratch);
	}
	/* Each directory holds a reference to its parent. */
	for (size_t i = 0; i < run->dir_count; i++)
		walk_unref(run->dirs[i]);
	free(run->user);
	free(run->host);
	free(run->records);
	free(run->dirs);
	free(run->file_systems);
	*run = (struct journal_run){ 0 };
}
