// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* A plan: names that somebody has chosen, as JSON. */
#include "fix/plan.h"

#include <errno.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "base/text.h"
#include "utf8val.h"

/* One name to be changed. */
struct item {
	char *path;	/* normal: see normalize() */
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
};

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

/* The bytes of "...", {"text":"..."} or {"bytes":"..."}; NULL if it is none. */
static char *take_bytes(const json_t *value, size_t *len)
{
	const json_t *bytes = json_object_get(value, "bytes");
	const json_t *text = json_is_string(value) ?
				     value :
				     json_object_get(value, "text");

	if (json_is_string(bytes))
		return json_unbase64(json_string_value(bytes),
				     json_string_length(bytes), len);
	if (!json_is_string(text))
		return NULL;
	*len = json_string_length(text);
	return must(strndup(json_string_value(text), *len));
}

static bool is_name(const char *name, size_t len)
{
	return len && strlen(name) == len && !strchr(name, '/') &&
	       strcmp(name, ".") && strcmp(name, "..") &&
	       utf8val_valid(name, len);
}

static void add_item(struct plan *plan, char *path, char *to, size_t to_len,
		     bool guessed)
{
	char *slash;

	normalize(path);
	slash = strrchr(path, '/');
	*array_next(plan->items, plan->count, plan->room) = (struct item){
		.path = path, .name = slash ? slash + 1 : path, .to = to,
		.to_len = to_len, .guessed = guessed };
}

/* What is wrong with a line, and where: in characters from 1, or 0. */
struct fault {
	struct text what;
	size_t column;
};

static void fault_set(struct fault *fault, size_t column, const char *what)
{
	fault->what.len = 0;
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
		if (line[i + 1 + strspn(line + i + 1, " \t")] == ':' &&
		    !--number)
			return column_of(line, begin);
	}
	return 0;
}

/* Keys of a line, of its guess, and of what stands for bytes. */
static const char *const line_keys[] = { "path", "name", "to", "guess", "offset",
					 "length", "reason", "target", "as",
					 "sure", "left", "done", NULL };
static const char *const guess_keys[] = { "as", "sure", "name", NULL };
static const char *const byte_keys[] = { "text", "bytes", NULL };

/* Is each key known? number: of keys before these, in the order of the line. */
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

/* A line of JSON that has been parsed: what is wrong with it, or NULL. */
static const char *take_object(struct plan *plan, const json_t *line)
{
	const json_t *new = json_object_get(line, "to");
	bool guessed = !new;
	char *path, *to;
	size_t len, to_len;

	/* links follow by themselves; what has no new name stays */
	if (!new)
		new = json_object_get(json_object_get(line, "guess"), "name");
	if (!new || json_object_get(line, "target"))
		return NULL;
	path = take_bytes(json_object_get(line, "path"), &len);
	if (!path || !len || strlen(path) != len) {
		free(path);
		return "it has no path";
	}
	to = take_bytes(new, &to_len);
	if (!to || !is_name(to, to_len)) {
		free(path);
		free(to);
		return "its new name cannot be a name in UTF-8";
	}
	add_item(plan, path, to, to_len, guessed);
	return NULL;
}

static bool take_json(struct plan *plan, const char *text, size_t len,
		      struct fault *fault)
{
	json_error_t error;
	json_t *line = json_loadb(text, len,
				  JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES,
				  &error);
	const char *unknown = NULL, *wrong = NULL;
	size_t number = 0;

	if (!json_is_object(line)) {
		fault_set(fault, error.column > 0 ? (size_t)error.column : 1,
			  "it is no JSON object");
	} else if (!check_keys(line, line_keys, &number, &unknown)) {
		fault_set(fault, key_column(text, number), "no plan has the key ");
		text_escape(&fault->what, unknown, strlen(unknown));
	} else {
		wrong = take_object(plan, line);
		if (wrong)
			fault_set(fault, 0, wrong);
	}
	json_decref(line);
	return !fault->what.len;
}

/* A path, a tab, a new name and, where there is another tab, what nobody reads. */
static bool take_tabs(struct plan *plan, const char *text, size_t len,
		      struct fault *fault)
{
	const char *tab, *end;
	struct text path = { 0 }, to = { 0 };

	while (len && strchr("\r\n", text[len - 1]))
		len--;
	tab = memchr(text, '\t', len);
	if (!tab) {
		fault_set(fault, 1, "it is no JSON object, and has no tab after a "
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
			add_item(plan, path.bytes, to.bytes, to.len - 1, false);
			return true;
		}
		fault_set(fault, column_of(text, (size_t)(tab + 1 - text)),
			  "its new name cannot be a name in UTF-8");
	}
	text_free(&path);
	text_free(&to);
	return !fault->what.len;
}

static int compare_items(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	int order = strcmp(a->name, b->name);

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

static bool read_lines(struct plan *plan, FILE *file, const char *path)
{
	unsigned long long number = 0;
	struct fault fault = { .column = 0 };
	bool good = true;
	char *text = NULL;
	size_t room = 0;
	ssize_t len;

	while (good && (len = getline(&text, &room, file)) > 0) {
		const char *line = text;
		size_t blanks;

		/* an editor may have put a byte order mark in front */
		if (!number++ && !strncmp(text, "\xEF\xBB\xBF", 3)) {
			line += 3;
			len -= 3;
		}
		blanks = strspn(line, " \t\r\n");
		if ((size_t)len == blanks)
			continue;
		good = strchr("{[", line[blanks]) ?
			       take_json(plan, line, (size_t)len, &fault) :
			       take_tabs(plan, line, (size_t)len, &fault);
	}
	free(text);
	if (!good) {
		struct text place = { 0 };

		text_printf(&place, "line %llu", number);
		if (fault.column)
			text_printf(&place, ", column %zu", fault.column);
		text_add(&place, "", 1);
		text_add(&fault.what, "", 1);
		complain(path, strlen(path), "%s: %s; nothing is done",
			 place.bytes, fault.what.bytes);
		text_free(&place);
	} else if (ferror(file)) {
		complain_errno(path, strlen(path), errno);
	}
	text_free(&fault.what);
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
		qsort(plan->items, plan->count, sizeof(*plan->items),
		      compare_items);
	for (size_t i = 1; good && i < plan->count; i++) {
		const struct item *item = &plan->items[i];

		if (compare_items(item - 1, item))
			continue;
		complain(item->path, strlen(item->path),
			 "the plan has more than one line for it; nothing is "
			 "done");
		good = false;
	}
	find_root(plan);
	return good ? plan : NULL;
}

const char *plan_root(const struct plan *plan)
{
	return plan->root;
}

/* The first item that is not before the key. */
static struct item *lower_bound(const struct plan *plan, const struct item *key)
{
	size_t low = 0, high = plan->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_items(&plan->items[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < plan->count ? &plan->items[low] : NULL;
}

bool plan_has_name(const struct plan *plan, const char *name)
{
	char nothing[] = "";
	struct item key = { .path = nothing, .name = name };
	const struct item *item = lower_bound(plan, &key);

	return item && !strcmp(item->name, name);
}

const char *plan_find(struct plan *plan, const struct walk_dir *dir,
		      const char *name, size_t len, size_t *new_len,
		      bool *guessed)
{
	struct item key = { .name = name }, *item;
	struct text path = { 0 };

	walk_path(&path, dir, name, len);
	text_add(&path, "", 1);
	normalize(path.bytes);
	key.path = path.bytes;
	item = lower_bound(plan, &key);
	if (item && compare_items(item, &key))
		item = NULL;
	text_free(&path);
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
