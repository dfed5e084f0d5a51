// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* A plan: names that somebody has chosen. */
#include "fix/plan.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "fix/plan_line.h"

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

static void add_item(struct plan *plan, const struct plan_line *line)
{
	char *path = line->path, *slash;

	normalize(path);
	slash = strrchr(path, '/');
	*array_next(plan->items, plan->count, plan->room) = (struct item){
		.path = path, .name = slash ? slash + 1 : path,
		.to = line->to, .to_len = line->to_len,
		.guessed = line->guessed };
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
			  const struct plan_line *line)
{
	text_auto what = { 0 };

	text_printf(&what, "line %llu", number);
	if (line->column)
		text_printf(&what, ", column %zu", line->column);
	text_puts(&what, ": ");
	text_add(&what, line->wrong.bytes, line->wrong.len);
	text_add(&what, "", 1);
	complain(path, strlen(path), "%s; nothing is done", what.bytes);
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
		struct plan_line line;

		len -= (ssize_t)mark;
		if ((size_t)len == strspn(text + mark, " \t\r\n"))
			continue;
		good = plan_line_parse(text + mark, (size_t)len, &line);
		if (!good)
			complain_line(path, number, &line);
		else if (line.path)
			add_item(plan, &line);
		text_free(&line.wrong);
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

static struct item *find(const struct plan *plan, const struct item *key,
			 int (*compare)(const void *, const void *))
{
	return plan->count ? bsearch(key, plan->items, plan->count, sizeof(*key), compare) :
			     NULL;
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
