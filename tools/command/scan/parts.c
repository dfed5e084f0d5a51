// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Parts of a tree that other runs have scanned. The nodes of their directories are made
 * again, so that names are counted and guessed as after a walk. scan/scan.c calls it for
 * utf8val summary.
 */
#include "scan/parts.h"

#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "base/strings.h"
#include "base/text.h"
#include "scan/bad.h"

/* bytes of a path; names in struct found_name are shorter */
#define MOST_PATH UINT16_MAX

/* A path that a part has scanned. */
struct root {
	char *path;		/* as it was given, without slashes at its end */
	char *plain;		/* from walk_plain_path() */
	struct walk_dir *dir;
	const char *file;	/* whose part it is of */
	size_t part;
};

struct parts {
	struct walk *walk;
	const struct command_option *scan_options;
	bool accept_errors;
	struct walk_visit visit;	/* of the last name's directory, or NULL */
	struct root *roots;
	size_t root_count, root_room;
	void *dirs;		/* below roots: a tree of tsearch() */
	json_t *options;	/* of all parts */
	/* the part that is read */
	const char *file;
	size_t part;
	bool begun;
	json_int_t names;
	struct strings plain;	/* its roots' paths, each with the root's number */
	size_t longest;		/* of these, in bytes */
};

/* By parent and name. */
static int compare_dirs(const void *left, const void *right)
{
	const struct walk_dir *a = left, *b = right;

	if (a->parent != b->parent)
		return (uintptr_t)a->parent < (uintptr_t)b->parent ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* The one node of a directory below another one. */
static struct walk_dir *dir_below(struct parts *parts, struct walk_dir *parent,
				  const char *name, size_t len)
{
	struct walk_dir *new = walk_new(parent, name, len), *dir;

	dir = *(struct walk_dir **)must(tsearch(new, &parts->dirs, compare_dirs));
	if (dir != new)
		walk_unref(new);
	return dir;
}

/* The root of the part that has so many bytes of a plain path, or NULL. */
static struct walk_dir *root_at(const struct parts *parts, char *plain, size_t len)
{
	char after = plain[len];
	size_t number;

	plain[len] = '\0';
	number = strings_find(&parts->plain, plain);
	plain[len] = after;
	return number == SIZE_MAX ? NULL :
				    parts->roots[parts->plain.entries[number].value].dir;
}

/* How many bytes of a plain path are that of the directory above. */
static size_t len_above(const char *plain, size_t len)
{
	do
		len--;
	while (len && plain[len - 1] != '/');
	return len;
}

/* The directory that has so many bytes of a plain path; NULL: it is below no root. */
static struct walk_dir *dir_of(struct parts *parts, char *plain, size_t len)
{
	/* a path may have tens of thousands of components, and roots are short */
	size_t begin = len < parts->longest ? len : parts->longest, end;
	struct walk_dir *dir = root_at(parts, plain, begin);

	while (!dir && begin) {
		begin = len_above(plain, begin);
		dir = root_at(parts, plain, begin);
	}
	for (; dir && begin < len; begin = end + 1) {
		end = begin + strcspn(plain + begin, "/");
		dir = dir_below(parts, dir, plain + begin, end - begin);
	}
	return dir;
}

/* Visit a directory after the one before. */
static void enter(struct parts *parts, struct walk_dir *dir)
{
	if (dir == parts->visit.dir)
		return;
	if (parts->visit.dir)
		bad_leave(&parts->visit);
	parts->visit.dir = dir;
}

/* Add the path at a key, and a NUL; false: it is none. */
static bool take_path(const json_t *value, struct text *path)
{
	size_t len;
	char *bytes = json_bytes(value, &len);
	bool good = bytes && len && strlen(bytes) == len && len <= MOST_PATH;

	if (good)
		text_add(path, bytes, len + 1);
	free(bytes);
	return good;
}

static const char *take_name(struct parts *parts, const json_t *line)
{
	text_auto path = { 0 }, plain = { 0 };
	struct walk_dir *dir, *root;
	const char *slash, *name;

	if (!take_path(json_object_get(line, "path"), &path))
		return "it has no path";
	slash = strrchr(path.bytes, '/');
	name = slash ? slash + 1 : path.bytes;
	walk_plain_path(&plain, path.bytes);
	dir = dir_of(parts, plain.bytes, len_above(plain.bytes, plain.len));
	root = dir ? NULL : root_at(parts, plain.bytes, plain.len);
	if (root) {	/* its own name: see walk_own_name() */
		size_t len = (size_t)(name - path.bytes);

		dir = walk_new(NULL, path.bytes, len > 1 ? len - 1 : len);
		dir->root = root->root | WALK_OWN_NAME;
	}
	if (!dir)
		return "its path is below none that was scanned";
	if (!*name || !bad_is(parts->walk->data, name, strlen(name)))
		return "its name is a good one";
	enter(parts, dir);
	bad_entry(&parts->visit, name, strlen(name));
	parts->names++;
	return NULL;
}

static const char *take_directory(struct parts *parts, const json_t *line)
{
	text_auto path = { 0 }, plain = { 0 };
	struct walk_dir *dir = NULL;

	if (take_path(json_object_get(line, "directory"), &path)) {
		walk_plain_path(&plain, path.bytes);
		dir = dir_of(parts, plain.bytes, plain.len);
	}
	if (!dir)
		return "its directory is none that was scanned";
	enter(parts, dir);
	bad_beside_good(&parts->visit);
	return NULL;
}

static void add_root(struct parts *parts, char *path)
{
	struct text plain = { 0 };
	size_t len = strlen(path), number;
	struct walk_dir *dir;

	walk_plain_path(&plain, path);
	while (len > 1 && path[len - 1] == '/')
		path[--len] = '\0';
	dir = walk_new(NULL, path, len);
	dir->root = parts->root_count;
	number = strings_add(&parts->plain, plain.bytes);
	parts->plain.entries[number].value = (unsigned int)parts->root_count;
	parts->longest = plain.len > parts->longest ? plain.len : parts->longest;
	*array_next(parts->roots, parts->root_count, parts->root_room) = (struct root){
		.path = path, .plain = plain.bytes, .dir = dir, .file = parts->file,
		.part = parts->part };
}

static const char *take_options(struct parts *parts, json_t *list)
{
	const char *wrong = NULL;
	size_t i, len;
	json_t *word;

	if (parts->options)
		return json_equal(parts->options, list) ? NULL :
			"it was scanned with other options than the parts before. "
			"Scan all parts with the same";
	parts->options = json_incref(list);
	json_array_foreach(list, i, word) {
		/* it lasts: excludes are kept by their address */
		char *option = json_bytes(word, &len);

		wrong = option ? options_take(parts->scan_options, option) : "it is no text";
		if (wrong)
			return "it has an option that is not known here";
	}
	return NULL;
}

static const char *take_begin(struct parts *parts, const json_t *line)
{
	const char *command = json_string_value(json_object_get(line, "begin"));
	const json_t *operands = json_object_get(line, "operands"), *operand;
	json_t *list = json_object_get(line, "options");
	size_t i;

	if (parts->begun)
		return "the scan before has no last line: it was cut";
	if (!command || strcmp(command, "scan") != 0)
		return "it is no output of scan --json";
	if (!json_is_array(operands) || !json_is_array(list))
		return "it was scanned with --names, or by an older version";
	parts->begun = true;
	parts->names = 0;
	parts->part++;
	parts->longest = 0;
	strings_reset(&parts->plain);
	json_array_foreach(operands, i, operand) {
		struct text path = { 0 };

		if (!take_path(operand, &path))
			return "it has no path";
		/*
		 * No scan can open such a path. With it, each long path of the part would
		 * be compared once for each of its components: see dir_of().
		 */
		if (path.len > PATH_MAX) {
			text_free(&path);
			return "its path is longer than any that can be scanned";
		}
		add_root(parts, path.bytes);
	}
	return take_options(parts, list);
}

static const char *take_end(struct parts *parts, const json_t *line)
{
	json_int_t entries = json_integer_value(json_object_get(line, "entries"));
	json_int_t errors = json_integer_value(json_object_get(line, "errors"));

	parts->begun = false;
	if (!json_is_true(json_object_get(line, "complete")))
		return "the scan was interrupted. Scan this part again";
	if (json_integer_value(json_object_get(line, "bad")) != parts->names)
		return "lines are missing before it. Scan this part again";
	if (errors && !parts->accept_errors)
		return "the scan reports errors, so names may be missing. Scan this part "
		       "again as root, or add --accept-errors";
	parts->walk->entries += (unsigned long long)entries;
	parts->walk->troubles += (unsigned long long)errors;
	return NULL;
}

static void take_line(void *data, const char *text, size_t len, struct text *wrong)
{
	json_t *line = json_loadb(text, len, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
	struct parts *parts = data;
	const char *what = NULL;

	if (!json_is_object(line))
		what = "not a JSON object; this is not the output of scan --json";
	else if (json_object_get(line, "begin"))
		what = take_begin(parts, line);
	else if (!parts->begun)
		what = "the first line of a scan is missing before it";
	else if (json_object_get(line, "end"))
		what = take_end(parts, line);
	else if (json_object_get(line, "directory"))
		what = take_directory(parts, line);
	else if (!json_object_get(line, "target"))	/* links are in no summary */
		what = take_name(parts, line);
	text_puts(wrong, what ? what : "");
	json_decref(line);
}

/* Read a file of parts; false after a complaint. */
static bool read_file(struct parts *parts, const char *path)
{
	size_t before = parts->part;

	parts->file = path;
	if (!json_lines(path, take_line, parts))
		return false;
	if (!parts->begun && parts->part > before)
		return true;
	complain(path, strlen(path), "its last line is missing, which is "
		 "{\"end\":...}: the file was cut, or the scan was killed. Scan this "
		 "part again");
	return false;
}

static int compare_roots(const void *left, const void *right)
{
	const struct root *a = left, *b = right;
	int order = strcmp(a->plain, b->plain);

	return order ? order : (a->part > b->part) - (a->part < b->part);
}

/* Do parts share directories? Then a name would count twice. The roots are sorted here. */
static bool complain_shared(struct parts *parts)
{
	const struct root *outer = parts->roots, *inner;
	text_auto path = { 0 };

	if (parts->root_count)
		qsort(parts->roots, parts->root_count, sizeof(*outer), compare_roots);
	for (inner = outer; inner < parts->roots + parts->root_count; inner++) {
		if (strncmp(inner->plain, outer->plain, strlen(outer->plain)) != 0)
			outer = inner;
		if (inner->part != outer->part)
			break;
	}
	if (inner == parts->roots + parts->root_count)
		return false;
	text_escape(&path, inner->path, strlen(inner->path));
	text_puts(&path, " was also scanned for ");
	text_escape(&path, outer->file, strlen(outer->file));
	complain(inner->file, strlen(inner->file), "%.*s, and its names would count "
		 "twice. Leave one of them out; for hosts with separate trees, run "
		 "utf8val summary for each host", (int)path.len, path.bytes);
	return true;
}

char **parts_read(struct walk *walk, char *const *files,
		  const struct command_option *options, bool accept_errors)
{
	struct parts parts = { .walk = walk, .scan_options = options,
			       .accept_errors = accept_errors,
			       .visit = { .walk = walk, .fd = -1 } };
	char **paths;

	for (; *files; files++) {
		if (!read_file(&parts, *files))
			return NULL;
	}
	enter(&parts, NULL);
	bad_thread_end(parts.visit.thread_data);
	paths = must(calloc(parts.root_count + 1, sizeof(*paths)));
	for (size_t i = 0; i < parts.root_count; i++)
		paths[i] = parts.roots[i].path;
	return complain_shared(&parts) ? NULL : paths;
}
