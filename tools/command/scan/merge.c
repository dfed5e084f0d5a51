// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val summary: one table of what several runs of scan --json have found. The names of
 * all parts are guessed again as if one walk had met them.
 */
#include "base/commands.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/option.h"
#include "base/strings.h"
#include "scan/bad.h"
#include "scan/hint.h"
#include "scan/summary.h"
#include "walk/filter.h"

/* bytes of a path; names in struct found_name are shorter */
#define MOST_PATH UINT16_MAX

/* A path that a part has scanned. */
struct root {
	char *path;		/* as it was given, without slashes at its end */
	char *plain;		/* to be compared: see plain_path() */
	const char *file;	/* whose part it is of */
	size_t part;
};

struct merge {
	struct bad_user user;	/* first: walk.data points here */
	struct summary summary;
	bool json, accept_errors;
	struct walk_visit visit;	/* of the last name's directory, or NULL */
	void *dirs;			/* a tree of tsearch(): struct walk_dir */
	struct root *roots;
	size_t root_count, root_room;
	struct strings plain;	/* of the roots: the number of the last one of that path */
	json_t *options;	/* of all parts */
	/* the part that is read */
	const char *file;
	size_t part;
	bool begun;
	json_int_t names;
};

static void found(struct walk_visit *visit, struct guesser *guesser,
		  const struct bad_name *bad, struct text *out)
{
	struct merge *merge = visit->walk->data;

	(void)guesser;
	(void)out;
	summary_count(&merge->summary, visit->dir, &bad->guess);
}

static struct merge merge = {
	.user = { .found = found, .lock = PTHREAD_MUTEX_INITIALIZER },
	.summary.lock = PTHREAD_MUTEX_INITIALIZER,
};

static struct walk walk = { .data = &merge };

static const struct command_option options[] = {
	{ 0, "accept-errors", NULL,
	  "Also accept parts of scans that could not read something",
	  .flag = &merge.accept_errors },
	SUMMARY_OPTION_DEPTH(&merge.summary),
	{ 0, "json", NULL, "Print one JSON object per line", .flag = &merge.json },
	{ 0 },
};

/* Options of scan, which its first record holds. */
static const struct command_option scan_options[] = {
	WALK_OPTION_CROSS(&walk),
	WALK_OPTION_EXCLUDE(&walk),
	WALK_OPTION_DEPTH(&walk),
	SCAN_OPTION_NO_GUESS(&merge.user),
	EXTRA_OPTION_MOJIBAKE(&merge.user.extra),
	EXTRA_OPTION_DAMAGED(&merge.user.extra),
	EXTRA_OPTION_NORMAL(&merge.user.extra),
	EXTRA_OPTION_PORTABLE(&merge.user.extra),
	EXTRA_OPTION_UNSAFE(&merge.user.extra),
	{ 0 },
};

static const struct usage usage = {
	.operands = "FILE...",
	.does = "Print the table of scan --summary for several scans: each FILE (- is "
		"standard input) holds the output of scan --json, and all names are "
		"guessed together.",
	.statuses = "0 if every name is UTF-8, 1 if one is not, 2 if a part cannot be "
		    "used, or has errors.",
	.options = options,
};

/* By parent and name; roots and the directories above them are numbered. */
static int compare_dirs(const void *left, const void *right)
{
	const struct walk_dir *a = left, *b = right;

	if (a->parent != b->parent)
		return (uintptr_t)a->parent < (uintptr_t)b->parent ? -1 : 1;
	if (!a->parent && a->root != b->root)
		return a->root < b->root ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* The one node of a directory. */
static struct walk_dir *dir_of(struct walk_dir *parent, size_t root, const char *name,
			       size_t len)
{
	struct walk_dir *new = walk_new(parent, name, len), *dir;

	if (!parent)
		new->root = root;
	dir = *(struct walk_dir **)must(tsearch(new, &merge.dirs, compare_dirs));
	if (dir != new)
		walk_unref(new);
	return dir;
}

/*
 * A path as it compares with others: absolute, or from "./", with single slashes and one
 * at its end.
 */
static char *plain_path(const char *path)
{
	struct text plain = { 0 };

	text_puts(&plain, *path == '/' ? "/" : "./");
	while (*path) {
		size_t len = strcspn(path, "/");

		if (len && !(len == 1 && *path == '.')) {
			text_add(&plain, path, len);
			text_puts(&plain, "/");
		}
		path += len + (path[len] == '/');
	}
	text_add(&plain, "", 1);
	return plain.bytes;
}

/*
 * The root, of this part or of another one, whose path is the longest beginning of a
 * path of so many bytes. The path then belongs to that root. NULL: there is none.
 */
static const struct root *root_of(char *plain, size_t *len, size_t part, bool same)
{
	for (; *len; --*len) {
		char after = plain[*len];
		const struct root *root;
		size_t entry;

		if (plain[*len - 1] != '/')
			continue;
		plain[*len] = '\0';
		entry = strings_find(&merge.plain, plain);
		plain[*len] = after;
		if (entry == SIZE_MAX)
			continue;
		root = &merge.roots[merge.plain.entries[entry].value];
		if (same ? root->part == part : root->part != part)
			return root;
	}
	return NULL;
}

static void leave(void)
{
	if (!merge.visit.dir)
		return;
	bad_leave(&merge.visit);
	merge.visit.dir = NULL;
}

/* Visit the directory whose path a name follows; false: it is below no root of the part. */
static bool visit_dir(const char *path, bool is_dir, const char **name)
{
	char *plain = plain_path(path);
	size_t len = strlen(plain), begin = strlen(path);
	const struct root *root = root_of(plain, &len, merge.part, true);
	struct walk_dir *dir = NULL;

	while (!is_dir && begin && path[begin - 1] != '/')
		begin--;
	*name = path + begin;
	if (root && !plain[len] && !is_dir)	/* its own name: see walk_own_name() */
		dir = dir_of(NULL, (size_t)(root - merge.roots) | WALK_OWN_NAME, path,
			     begin > 1 ? begin - 1 : begin);
	else if (root)
		dir = dir_of(NULL, (size_t)(root - merge.roots), root->path,
			     strlen(root->path));
	/* the last component is the name */
	for (const char *at = plain + len; dir && *at && (is_dir || strchr(at, '/')[1]);
	     at = strchr(at, '/') + 1)
		dir = dir_of(dir, 0, at, strcspn(at, "/"));
	free(plain);
	if (dir && dir != merge.visit.dir) {
		leave();
		merge.visit.dir = dir;
	}
	return dir;
}

/* The path at a key, to be freed; NULL: it is none. */
static char *take_path(const json_t *value)
{
	size_t len;
	char *path = json_bytes(value, &len);

	if (path && len && strlen(path) == len && len <= MOST_PATH)
		return path;
	free(path);
	return NULL;
}

static const char *take_name(const json_t *line)
{
	char *path = take_path(json_object_get(line, "path"));
	const char *wrong = NULL, *name;

	if (!path)
		return "it has no path";
	if (!visit_dir(path, false, &name))
		wrong = "its path is below none that was scanned";
	else if (!*name || !bad_is(&merge.user, name, strlen(name)))
		wrong = "its name is a good one";
	else
		bad_entry(&merge.visit, name, strlen(name));
	merge.names++;
	free(path);
	return wrong;
}

static const char *take_directory(const json_t *line)
{
	char *path = take_path(json_object_get(line, "directory"));
	const char *name;
	bool good = path && visit_dir(path, true, &name);

	free(path);
	if (!good)
		return "its directory is none that was scanned";
	bad_beside_good(&merge.visit);
	return NULL;
}

static void add_root(char *path)
{
	size_t len = strlen(path), entry;
	char *plain = plain_path(path);

	while (len > 1 && path[len - 1] == '/')
		path[--len] = '\0';
	entry = strings_add(&merge.plain, plain);
	merge.plain.entries[entry].value = (unsigned int)merge.root_count;
	*array_next(merge.roots, merge.root_count, merge.root_room) = (struct root){
		.path = path, .plain = plain, .file = merge.file, .part = merge.part };
}

static const char *take_options(json_t *list)
{
	const char *wrong = NULL;
	size_t i, len;
	json_t *word;

	if (merge.options)
		return json_equal(merge.options, list) ? NULL :
			"it was scanned with other options than the parts before. "
			"Scan all parts with the same";
	merge.options = json_incref(list);
	json_array_foreach(list, i, word) {
		/* it lasts: excludes are kept by their address */
		char *option = json_bytes(word, &len);

		wrong = option ? options_take(scan_options, option) : "it is no text";
		if (wrong)
			return "it has an option that is not known here";
	}
	return NULL;
}

static const char *take_begin(const json_t *line)
{
	const char *command = json_string_value(json_object_get(line, "begin"));
	const json_t *operands = json_object_get(line, "operands"), *operand;
	json_t *list = json_object_get(line, "options");
	size_t i;

	if (merge.begun)
		return "the scan before has no last line: it was cut";
	if (!command || strcmp(command, "scan") != 0)
		return "it is no output of scan --json";
	if (!json_is_array(operands) || !json_is_array(list))
		return "it was scanned with --names, or by an older version";
	merge.begun = true;
	merge.names = 0;
	merge.part++;
	json_array_foreach(operands, i, operand) {
		char *path = take_path(operand);

		if (!path)
			return "it has no path";
		add_root(path);
	}
	return take_options(list);
}

static const char *take_end(const json_t *line)
{
	json_int_t entries = json_integer_value(json_object_get(line, "entries"));
	json_int_t errors = json_integer_value(json_object_get(line, "errors"));

	merge.begun = false;
	if (!json_is_true(json_object_get(line, "complete")))
		return "the scan was interrupted. Scan this part again";
	if (json_integer_value(json_object_get(line, "bad")) != merge.names)
		return "lines are missing before it. Scan this part again";
	if (errors && !merge.accept_errors)
		return "the scan reports errors, so names may be missing. Scan this part "
		       "again as root, or add --accept-errors";
	walk.entries += (unsigned long long)entries;
	walk.troubles += (unsigned long long)errors;
	return NULL;
}

/* Take a line: what is wrong with it, or NULL. */
static const char *take_line(const char *text, size_t len)
{
	json_t *line = json_loadb(text, len, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, NULL);
	const char *wrong = NULL;

	if (!json_is_object(line))
		wrong = "not a JSON object; this is not the output of scan --json";
	else if (json_object_get(line, "begin"))
		wrong = take_begin(line);
	else if (!merge.begun)
		wrong = "the first line of a scan is missing before it";
	else if (json_object_get(line, "end"))
		wrong = take_end(line);
	else if (json_object_get(line, "directory"))
		wrong = take_directory(line);
	else if (!json_object_get(line, "target"))	/* links are in no summary */
		wrong = take_name(line);
	json_decref(line);
	return wrong;
}

/* Read a file of parts; false after a complaint. */
static bool read_file(const char *path)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
	unsigned long long number = 0;
	const char *wrong = NULL;
	size_t parts = merge.part, room = 0;
	bool good = false;
	char *text = NULL;
	ssize_t len;

	merge.file = path;
	while (file && !wrong && !interrupted && (len = getline(&text, &room, file)) > 0) {
		number++;
		wrong = take_line(text, (size_t)len);
	}
	if (wrong)
		complain(path, strlen(path), "line %llu: %s", number, wrong);
	else if (!file || ferror(file))
		complain_errno(path, strlen(path), errno);
	else if (!interrupted && (merge.begun || parts == merge.part))
		complain(path, strlen(path), "its last line is missing, which is "
			 "{\"end\":...}: the file was cut, or the scan was killed. Scan this "
			 "part again");
	else
		good = true;
	free(text);
	if (file && file != stdin)
		fclose(file);
	return good;
}

/* Do parts share directories? Then a name would count twice. */
static bool complain_shared(void)
{
	for (size_t i = 0; i < merge.root_count; i++) {
		const struct root *inner = &merge.roots[i], *outer;
		size_t len = strlen(inner->plain);
		text_auto path = { 0 };

		outer = root_of(inner->plain, &len, inner->part, false);
		if (!outer)
			continue;
		text_escape(&path, inner->path, strlen(inner->path));
		text_puts(&path, " was also scanned for ");
		text_escape(&path, outer->file, strlen(outer->file));
		text_add(&path, "", 1);
		complain(inner->file, strlen(inner->file), "%s, and its names would count "
			 "twice. Leave one of them out; for hosts with separate trees, run "
			 "utf8val summary for each host", path.bytes);
		return true;
	}
	return false;
}

int summary_main(int argc, char **argv)
{
	char **files = argv + options_parse(argc, argv, &usage);
	char **roots;

	if (!*files) {
		complain(NULL, 0, "no FILE is given; each is the output of scan --json. "
			 "Run: utf8val summary --help");
		return STATUS_TROUBLE;
	}
	merge.visit = (struct walk_visit){ .walk = &walk, .fd = -1 };
	interrupt_catch();
	progress_begin(&merge.user.progress);
	for (; *files && !interrupted; files++) {
		if (!read_file(*files))
			return STATUS_TROUBLE;
	}
	leave();
	bad_thread_end(merge.visit.thread_data);
	if (complain_shared())
		return STATUS_TROUBLE;
	roots = must(calloc(merge.root_count + 1, sizeof(*roots)));
	for (size_t i = 0; i < merge.root_count; i++)
		roots[i] = merge.roots[i].path;
	merge.user.progress.has_extra = extra_any(&merge.user.extra);
	bad_finish(&walk);
	progress_end(&merge.user.progress, &walk, true);
	merge.summary.options =
		(struct hint_options){ .extra = &merge.user.extra, .walk = &walk };
	summary_print(&merge.summary, roots, &merge.user.progress, merge.json);
	return progress_status(&merge.user.progress, &walk);
}
