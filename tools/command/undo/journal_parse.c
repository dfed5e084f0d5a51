// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Parsing the lines of a journal. */
#include "undo/journal_parse.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "undo/journal_field.h"
#include "utf8val.h"

#define FIRST_LINE "utf8val journal 2"

static struct walk_dir *add_dir(struct journal_parser *parser, struct walk_dir *parent,
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

static struct journal_record *add_record(struct journal_parser *parser,
					 struct walk_dir *dir)
{
	struct journal_run *out = parser->out;
	struct journal_record *record;

	record = array_next(out->records, out->count, parser->record_room);
	*record = (struct journal_record){ .dir = dir };
	return record;
}

static bool find_dir(const struct journal_parser *parser, const char **line,
		     struct walk_dir **dir)
{
	unsigned long long number;

	if (!field_number(line, &number) || !number || number > parser->out->dir_count)
		return false;
	*dir = parser->out->dirs[number - 1];
	return true;
}

static bool parse_run(struct journal_parser *parser, const char *line)
{
	unsigned long long when, uid;

	if (parser->out->user || !field_number(&line, &when) ||
	    !field_number(&line, &uid))
		return false;
	parser->out->when = (time_t)when;
	parser->out->user = field_bytes(&line);
	return parser->out->user && !*line;
}

static bool parse_root(struct journal_parser *parser, const char *line)
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

static bool parse_dir(struct journal_parser *parser, const char *line)
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

static bool parse_name_record(struct journal_parser *parser, const char *line)
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

static bool parse_link(struct journal_parser *parser, const char *line)
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
static bool parse_count(const struct journal_parser *parser, const char *line,
			bool some, unsigned long long *count)
{
	if (!field_number(&line, count) || *line)
		return false;
	return some ? *count && *count <= parser->out->count :
		      *count == parser->out->count;
}

static bool parse_line(struct journal_parser *parser, const char *line)
{
	struct journal_run *out = parser->out;
	const char *rest = strchr(line, ' ');
	size_t word = rest ? (size_t)(rest++ - line) : 0;
	unsigned long long number;

#define IS(text) (word == sizeof(text) - 1 && !strncmp(line, text, word))
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
		return parse_name_record(parser, rest);
	return IS("link") && parse_link(parser, rest);
#undef IS
}

/* Parse a line that was added after the names had been changed. */
static bool parse_outcome(struct journal_parser *parser, const char *line, bool *good)
{
	struct journal_run *out = parser->out;
	unsigned long long number;

	if (!strncmp(line, "failed ", 7)) {
		line += 7;
		*good = parse_count(parser, line, true, &number);
		if (*good)
			out->records[number - 1].failed = true;
		return true;
	}
	if (!strncmp(line, "undone ", 7)) {
		line += 7;
		*good = field_number(&line, &number) && !*line;
		out->undone = *good;
		return true;
	}
	return false;
}

bool journal_parse(struct journal_parser *parser, const char *line)
{
	bool good;

	if (!parser->begun)
		return parser->begun = !strcmp(line, FIRST_LINE);
	return parse_outcome(parser, line, &good) ? good : parse_line(parser, line);
}
