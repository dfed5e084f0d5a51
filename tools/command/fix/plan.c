// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The plan of fix --plan: names that a user chose, as lines of JSON or of columns.
 * fix/choose.c asks it for names.
 */
#include "fix/plan.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "utf8val.h"

/* One name to be changed. */
struct item {
	char *path;	/* normal: see normalize(); NULL: nothing gets another name */
	const char *name;	/* its last component */
	char *to;
	size_t to_len;
	bool guessed;	/* by a scan; nobody has written it */
	bool met;
};

struct plan {
	struct item *items;	/* by name, then path */
	size_t count, room;
	char *root;
	unsigned long long begun;	/* lines that begin what scan --json printed */
	unsigned long long ended;	/* and those that end it */
};

/* Why a line is none of a plan. */
struct fault {
	struct text what;
	size_t column;	/* in characters from 1; 0: it is of no one place */
};

static bool is_name(const char *name, size_t len)
{
	return len && strlen(name) == len && !strchr(name, '/') &&
	       strcmp(name, ".") && strcmp(name, "..") &&
	       utf8val_valid(name, len);
}

static void fault_set(struct fault *fault, size_t column, const char *what)
{
	text_puts(&fault->what, what);
	fault->column = column;
}

/* The column of a place in a line. */
static size_t column_of(const char *line, size_t at)
{
	size_t column = 1;

	while (at--)
		column += (line[at] & 0xC0) != 0x80;
	return column;
}

/* Where the n-th key of a line of good JSON begins. */
static size_t key_column(const char *line, size_t number)
{
	for (size_t i = 0, begin; line[i]; i++) {
		if (line[i] != '"')
			continue;
		for (begin = i++; line[i] != '"'; i++)
			i += line[i] == '\\';
		if (line[i + 1 + strspn(line + i + 1, " \t")] == ':' && !--number)
			return column_of(line, begin);
	}
	return 0;
}

/* Keys of the lines before and after all others, of a line, its guess and of bytes. */
static const char *const end_keys[] = { "begin", "end", "operands", "options",
					"entries", "bad", "applied", "renamed",
					"left", "errors", "complete", NULL };
static const char *const line_keys[] = { "path", "name", "to", "guess", "offset",
					 "length", "reason", "target", "as",
					 "sure", "left", "done", "directory",
					 "against", NULL };
static const char *const guess_keys[] = { "as", "sure", "name", NULL };
static const char *const byte_keys[] = { "text", "bytes", NULL };

/*
 * Is each key of an object known? number: how many keys of the line were looked at
 * before; it is advanced.
 */
static bool check_keys(json_t *object, const char *const *known, size_t *number,
		       const char **unknown)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		const char *const *name = known;

		(*number)++;
		while (*name && strcmp(*name, key) != 0)
			name++;
		*unknown = key;
		if (!*name)
			return false;
		if (json_is_object(value) &&
		    !check_keys(value, strcmp(key, "guess") ? byte_keys : guess_keys,
				number, unknown))
			return false;
	}
	return true;
}

/* Take path and new name from a parsed line: what is wrong with the line, or NULL. */
static const char *take_object(const json_t *line, struct item *item)
{
	const json_t *new = json_object_get(line, "to");
	size_t len;

	item->guessed = !new;
	/* links follow by themselves, and a file without a new name keeps its name */
	if (!new)
		new = json_object_get(json_object_get(line, "guess"), "name");
	if (!new || json_object_get(line, "target") || json_object_get(line, "directory"))
		return NULL;
	item->path = json_bytes(json_object_get(line, "path"), &len);
	if (!item->path || !len || strlen(item->path) != len)
		return "it has no path";
	item->to = json_bytes(new, &item->to_len);
	if (!item->to || !is_name(item->to, item->to_len))
		return "its new name cannot be a name in UTF-8";
	return NULL;
}

/*
 * Count a line that begins or ends the output of scan --json: what is wrong with it, or
 * NULL.
 */
static const char *take_end(struct plan *plan, const json_t *line)
{
	if (json_object_get(line, "begin")) {
		plan->begun++;
		return NULL;
	}
	if (!json_is_true(json_object_get(line, "complete")))
		return "the scan was interrupted, so names are missing";
	plan->ended++;
	return plan->ended > plan->begun ?
		       "it ends a scan of which the first line is missing" : NULL;
}

static bool take_json(struct plan *plan, const char *text, size_t len, struct item *item,
		      struct fault *fault)
{
	json_error_t error;
	json_t *line = json_loadb(text, len, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES,
				  &error);
	const char *unknown = NULL, *wrong = NULL;
	size_t number = 0;
	bool is_end = json_object_get(line, "begin") || json_object_get(line, "end");

	if (!json_is_object(line)) {
		fault_set(fault, error.column > 0 ? (size_t)error.column : 1,
			  "not a JSON object");
	} else if (!check_keys(line, is_end ? end_keys : line_keys, &number,
			       &unknown)) {
		fault_set(fault, key_column(text, number), "no plan has the key ");
		text_escape(&fault->what, unknown, strlen(unknown));
	} else {
		wrong = is_end ? take_end(plan, line) : take_object(line, item);
		if (wrong)
			fault_set(fault, 0, wrong);
	}
	json_decref(line);
	return !fault->what.len;
}

/* A path, a tab, a new name and, where there is another tab, what nobody reads. */
static bool take_tabs(const char *text, size_t len, struct item *item,
		      struct fault *fault)
{
	const char *tab, *end;
	struct text path = { 0 }, to = { 0 };

	while (len && strchr("\r\n", text[len - 1]))
		len--;
	tab = memchr(text, '\t', len);
	if (!tab) {
		fault_set(fault, 1, "not a JSON object, and has no tab after a "
				    "path");
		return false;
	}
	end = memchr(tab + 1, '\t', len - (size_t)(tab + 1 - text));
	if (!end)
		end = text + len;
	if (!text_unescape(&path, text, (size_t)(tab - text)))
		fault_set(fault, 1, "a backslash in its path is none of \\xHH, \\n, "
				    "\\t, \\r and \\\\");
	else if (!path.len || memchr(path.bytes, '\0', path.len))
		fault_set(fault, 1, "it has no path");
	else if (!text_unescape(&to, tab + 1, (size_t)(end - tab - 1)))
		fault_set(fault, column_of(text, (size_t)(tab + 1 - text)),
			  "a backslash in its new name is none of \\xHH, \\n, \\t, "
			  "\\r and \\\\");
	text_add(&path, "", 1);
	text_add(&to, "", 1);
	/* without a new name, the old one stays */
	if (!fault->what.len && to.len > 1) {
		if (is_name(to.bytes, to.len - 1)) {
			item->path = path.bytes;
			item->to = to.bytes;
			item->to_len = to.len - 1;
			return true;
		}
		fault_set(fault, column_of(text, (size_t)(tab + 1 - text)),
			  "its new name cannot be a name in UTF-8");
	}
	text_free(&path);
	text_free(&to);
	return !fault->what.len;
}

/* Parse a line, not blank; a NUL follows. False, with a fault, when no plan has it. */
static bool parse_line(struct plan *plan, const char *text, size_t len,
		       struct item *item, struct fault *fault)
{
	return strchr("{[", text[strspn(text, " \t\r\n")]) ?
		       take_json(plan, text, len, item, fault) :
		       take_tabs(text, len, item, fault);
}

/* Without "./" at the beginning, and without slashes that say nothing but "/". */
static void normalize(char *path)
{
	char *const begin = path, *to = path;

	while (path[0] == '.' && path[1] == '/')
		path += 2 + strspn(path + 2, "/");
	for (; *path; path++) {
		if (*path != '/' || path[1] != '/')
			*to++ = *path;
	}
	if (to > begin + 1 && to[-1] == '/')
		to--;
	*to = '\0';
}

static void add_item(struct plan *plan, struct item item)
{
	char *slash;

	normalize(item.path);
	slash = strrchr(item.path, '/');
	item.name = slash ? slash + 1 : item.path;
	*array_next(plan->items, plan->count, plan->room) = item;
}

static int compare_names(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static int compare_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	int order = compare_names(a, b);

	return order ? order : strcmp(a->path, b->path);
}

/* The longest directory that begins all paths, as they were written. */
static void find_root(struct plan *plan)
{
	size_t len = 0;

	for (size_t i = 0; i < plan->count; i++) {
		const char *path = plan->items[i].path;
		size_t here = (size_t)(plan->items[i].name - path), common = 0;

		if (!i) {
			len = here;
			plan->root = must(strndup(path, len));
			continue;
		}
		while (common < len && common < here &&
		       path[common] == plan->root[common])
			common++;
		while (common && plan->root[common - 1] != '/')
			common--;
		len = common;
		plan->root[len] = '\0';
	}
	if (!len) {
		free(plan->root);
		plan->root = must(strdup("."));
	}
}

static void complain_line(const char *path, unsigned long long number,
			  const struct fault *fault)
{
	text_auto what = { 0 };

	text_printf(&what, "line %llu", number);
	if (fault->column)
		text_printf(&what, ", column %zu", fault->column);
	text_puts(&what, ": ");
	text_add(&what, fault->what.bytes, fault->what.len);
	text_add(&what, "", 1);
	complain(path, strlen(path), "%s; nothing was changed", what.bytes);
}

static bool read_lines(struct plan *plan, FILE *file, const char *path)
{
	unsigned long long number = 0;
	bool good = true;
	char *text = NULL;
	size_t room = 0;
	ssize_t len;

	while (good && (len = getline(&text, &room, file)) > 0) {
		/* an editor may have put a byte order mark in front */
		size_t mark = !number++ && !strncmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0;
		struct fault fault = { 0 };
		struct item item = { 0 };

		len -= (ssize_t)mark;
		if ((size_t)len == strspn(text + mark, " \t\r\n"))
			continue;
		good = parse_line(plan, text + mark, (size_t)len, &item, &fault);
		if (good && item.path) {
			add_item(plan, item);
		} else if (!good) {
			complain_line(path, number, &fault);
			free(item.path);
			free(item.to);
		}
		text_free(&fault.what);
	}
	free(text);
	if (ferror(file))
		complain_errno(path, strlen(path), errno);
	return good && !ferror(file);
}

struct plan *plan_read(const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	FILE *file = is_stdin ? stdin : fopen(path, "re");
	struct plan *plan = must(calloc(1, sizeof(*plan)));
	bool good;

	if (!file) {
		complain_errno(path, strlen(path), errno);
		return NULL;
	}
	good = read_lines(plan, file, path);
	if (!is_stdin)
		fclose(file);
	if (plan->count)
		qsort(plan->items, plan->count, sizeof(*plan->items), compare_items);
	for (size_t i = 1; good && i < plan->count; i++) {
		const struct item *item = &plan->items[i];

		if (compare_items(item - 1, item))
			continue;
		complain(item->path, strlen(item->path),
			 "the plan has more than one line for this name; "
			 "nothing was changed");
		good = false;
	}
	if (good && plan->begun != plan->ended) {
		complain(path, strlen(path),
			 "its last line is missing, which is {\"end\":...}: the plan was "
			 "cut, or scan was killed; nothing was changed. To rename only these "
			 "files, remove the line {\"begin\":...}. For a whole plan, run: "
			 "utf8val scan --json PATH");
		good = false;
	}
	find_root(plan);
	return good ? plan : NULL;
}

const char *plan_root(const struct plan *plan)
{
	return plan->root;
}

static struct item *find(const struct plan *plan, const struct item *key,
			 int (*compare)(const void *, const void *))
{
	if (!plan->count)
		return NULL;
	return bsearch(key, plan->items, plan->count, sizeof(*key), compare);
}

bool plan_has_name(const struct plan *plan, const char *name)
{
	return find(plan, &(struct item){ .name = name }, compare_names);
}

const char *plan_find(struct plan *plan, const struct walk_dir *dir,
		      const char *name, size_t len, size_t *new_len,
		      bool *guessed)
{
	struct item key = { .name = name }, *item;
	text_auto path = { 0 };

	walk_path(&path, dir, name, len);
	text_add(&path, "", 1);
	normalize(path.bytes);
	key.path = path.bytes;
	item = find(plan, &key, compare_items);
	if (!item)
		return NULL;
	item->met = true;
	*new_len = item->to_len;
	*guessed = item->guessed;
	return item->to;
}

size_t plan_complain_unmet(const struct plan *plan)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->count; i++) {
		const struct item *item = &plan->items[i];

		if (item->met)
			continue;
		complain(item->path, strlen(item->path),
			 "the plan names it, but it was not met");
		count++;
	}
	return count;
}
