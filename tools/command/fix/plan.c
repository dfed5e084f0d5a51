// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The plan of fix --plan: names that a user chose, as lines of JSON or of columns.
 * fix/fix.c reads it, fix/choose.c asks it for names.
 */
#include "fix/plan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "utf8val.h"

/* One name to be changed. */
struct item {
	char *path;		/* see normal_path() */
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

static bool is_name(const char *name, size_t len)
{
	return len && strlen(name) == len && !strchr(name, '/') &&
	       strcmp(name, ".") && strcmp(name, "..") &&
	       utf8val_valid(name, len);
}

/* A key of an object, or of one in it, that no line has; NULL: there is none. */
static const char *unknown_key(json_t *object)
{
	static const char known[] =
		" begin end operands options entries bad applied renamed left errors complete "
		"path name to guess offset length reason target as sure done directory good "
		"text bytes ";
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		const char *unknown = json_is_object(value) ? unknown_key(value) : NULL;
		text_auto word = { 0 };

		text_printf(&word, " %s ", key);
		text_add(&word, "", 1);
		if (unknown || strchr(key, ' ') || !strstr(known, word.bytes))
			return unknown ? unknown : key;
	}
	return NULL;
}

/* A path as it compares with others, without "./" and a slash at its end; to be freed. */
static char *normal_path(const char *path)
{
	struct text plain = { 0 };

	walk_plain_path(&plain, path);
	if (plain.len > 1)
		plain.bytes[--plain.len] = '\0';
	if (!strncmp(plain.bytes, "./", 2))
		memmove(plain.bytes, plain.bytes + 2, plain.len - 1);
	return plain.bytes;
}

/*
 * Add a path and its new name, which is kept. Each is ended by a NUL, or is NULL. What is
 * wrong with them, or NULL.
 */
static const char *add_item(struct plan *plan, const char *path, size_t path_len, char *to,
			    size_t to_len, bool guessed)
{
	struct item item = { .to = to, .to_len = to_len, .guessed = guessed };
	const char *slash;

	if (!path || !path_len || strlen(path) != path_len)
		return "it has no path";
	if (!to || !is_name(to, to_len))
		return "its new name cannot be a name in UTF-8";
	item.path = normal_path(path);
	slash = strrchr(item.path, '/');
	item.name = slash ? slash + 1 : item.path;
	*array_next(plan->items, plan->count, plan->room) = item;
	return NULL;
}

/* These take a line: what is wrong with it, or NULL. */
static const char *take_object(struct plan *plan, const json_t *line)
{
	const json_t *guess = json_object_get(json_object_get(line, "guess"), "name");
	const json_t *written = json_object_get(line, "to"), *new = written ? written : guess;
	size_t path_len, to_len;
	char *path, *to;
	const char *wrong;

	/* links follow by themselves, and a file without a new name keeps its name */
	if (!new || json_object_get(line, "target") || json_object_get(line, "directory"))
		return NULL;
	path = json_bytes(json_object_get(line, "path"), &path_len);
	to = json_bytes(new, &to_len);
	wrong = add_item(plan, path, path_len, to, to_len, !written);
	free(path);
	return wrong;
}

/* Count a line that begins or ends the output of scan --json. */
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

static const char *take_tabs(struct plan *plan, const char *text, size_t len)
{
	const char *tab, *end, *wrong = NULL;
	text_auto path = { 0 };
	struct text to = { 0 };

	while (len && strchr("\r\n", text[len - 1]))
		len--;
	tab = memchr(text, '\t', len);
	if (!tab)
		return "not a JSON object, and has no tab after a path";
	/* where there is another tab, nobody reads what follows it */
	end = memchr(tab + 1, '\t', len - (size_t)(tab + 1 - text));
	if (!end)
		end = text + len;
	if (!text_unescape(&path, text, (size_t)(tab - text)) ||
	    !text_unescape(&to, tab + 1, (size_t)(end - tab - 1)))
		return "a backslash in it is none of \\xHH, \\n, \\t, \\r and \\\\";
	text_add(&path, "", 1);
	text_add(&to, "", 1);
	/* without a new name, the old one stays */
	if (to.len > 1 || path.len == 1)
		wrong = add_item(plan, path.bytes, path.len - 1, to.bytes, to.len - 1, false);
	else
		text_free(&to);
	return wrong;
}

/* The same for JSON, but what is wrong is added. */
static void take_json(struct plan *plan, const char *text, size_t len, struct text *wrong)
{
	json_error_t error;
	json_t *line = json_loadb(text, len, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES,
				  &error);
	const char *unknown = unknown_key(line), *what;

	if (!json_is_object(line)) {
		text_printf(wrong, "column %d: not a JSON object",
			    error.column > 0 ? error.column : 1);
	} else if (unknown) {
		text_puts(wrong, "no plan has the key ");
		text_escape(wrong, unknown, strlen(unknown));
	} else {
		what = json_object_get(line, "begin") || json_object_get(line, "end") ?
			       take_end(plan, line) : take_object(plan, line);
		text_puts(wrong, what ? what : "");
	}
	json_decref(line);
}

static void take_line(void *data, const char *line, size_t len, struct text *wrong)
{
	struct plan *plan = data;
	const char *what;

	if (strchr("{[", line[strspn(line, " \t")])) {
		take_json(plan, line, len, wrong);
	} else {
		what = take_tabs(plan, line, len);
		text_puts(wrong, what ? what : "");
	}
	if (wrong->len)
		text_puts(wrong, "; nothing was changed");
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

struct plan *plan_read(const char *path)
{
	struct plan *plan = must(calloc(1, sizeof(*plan)));
	bool good = json_lines(path, take_line, plan);

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
	key.path = normal_path(path.bytes);
	item = find(plan, &key, compare_items);
	free(key.path);
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
