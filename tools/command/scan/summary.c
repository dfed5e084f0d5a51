// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* A table of what was found, by place and guess, and the commands for it. */
#include "scan/summary.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "guess/label.h"

/* commands printed; whoever has more rows reads the table */
#define COMMANDS 8

struct row {
	unsigned long long names;
	struct guess guess;
	size_t len;
	char top[];	/* the root, or the directory in it */
};

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	int order = strcmp(a->top, b->top);

	if (!order)
		order = strcmp(a->guess.charset, b->guess.charset);
	if (!order)
		order = (int)a->guess.kind - (int)b->guess.kind;
	return order ? order : (int)a->guess.sure - (int)b->guess.sure;
}

void summary_count(struct summary *summary, const struct walk_dir *dir,
		   const struct guess *guess)
{
	struct text path = { 0 };
	struct row *row, **found;

	walk_path(&path, dir->depth ? walk_above(dir, 1) : dir, NULL, 0);
	row = must(calloc(1, sizeof(*row) + path.len + 1));
	memcpy(row->top, path.bytes, path.len);
	row->len = path.len;
	row->guess = *guess;
	text_free(&path);
	pthread_mutex_lock(&summary->lock);
	found = must(tsearch(row, &summary->rows, compare_rows));
	summary->count += *found == row;
	(*found)->names++;
	if (*found != row)
		free(row);
	pthread_mutex_unlock(&summary->lock);
}

static int by_names(const void *left, const void *right)
{
	const struct row *a = *(const struct row *const *)left;
	const struct row *b = *(const struct row *const *)right;

	if (a->names != b->names)
		return a->names > b->names ? -1 : 1;
	return compare_rows(a, b);
}

static void print_row(const struct row *row, bool json)
{
	const char *label = guess_label(&row->guess);
	bool known = row->guess.kind != GUESS_NONE;
	struct text line = { 0 };

	if (json) {
		text_printf(&line, "{\"names\":%llu,\"under\":", row->names);
		text_json(&line, row->top, row->len);
		if (known) {
			text_puts(&line, ",\"as\":");
			text_json_string(&line, label, strlen(label));
			text_printf(&line, ",\"sure\":\"%s\"",
				    guess_sure_name(row->guess.sure));
		}
		text_puts(&line, "}\n");
	} else {
		text_printf(&line, "%9llu  %-22s %-9s ", row->names, label,
			    known ? guess_sure_name(row->guess.sure) : "");
		text_escape(&line, row->top, row->len);
		text_puts(&line, "\n");
	}
	text_emit(&line);
	text_free(&line);
}

/* The command for a row; false when there is none. */
static bool add_command(struct text *line, const struct rules *rules,
			const struct row *row)
{
	bool sure = row->guess.sure >= GUESS_LIKELY;

	if (row->guess.kind == GUESS_NONE || row->guess.kind == GUESS_UCS4 ||
	    (!sure && row->guess.kind != GUESS_CHARSET))
		return false;
	text_puts(line, "utf8val fix ");
	if (!sure)
		text_printf(line, "--from %s ", row->guess.charset);
	rules_options(rules, line);
	if (row->top[0] == '-')
		text_puts(line, "-- ");
	text_shell(line, row->top);
	text_puts(line, "\n");
	return true;
}

void summary_print(struct summary *summary, bool json)
{
	struct row **rows = must(calloc(summary->count + 1, sizeof(*rows)));
	struct text line = { 0 };
	unsigned int commands = 0;
	size_t count = 0, begin;

	while (summary->rows) {
		rows[count] = *(struct row **)summary->rows;
		tdelete(rows[count++], &summary->rows, compare_rows);
	}
	qsort(rows, count, sizeof(*rows), by_names);
	if (count && !json) {
		text_printf(&line, "%9s  %-22s %-9s %s\n", "names", "as",
			    "sure", "under");
		text_emit(&line);
		line.len = 0;
	}
	for (size_t i = 0; i < count; i++)
		print_row(rows[i], json);
	for (size_t i = 0; i < count && commands < COMMANDS && !json; i++) {
		begin = line.len;
		if (!add_command(&line, summary->rules, rows[i]))
			continue;
		text_add(&line, "", 1);
		/* charsets of one directory are often all sure: one command */
		if (memmem(line.bytes, begin, line.bytes + begin,
			   line.len - begin))
			line.len = begin;
		else
			commands++;
	}
	fflush(stdout);
	if (line.len)
		fputs("utf8val: next, to see what would be renamed (--apply "
		      "does it):\n", stderr);
	for (begin = 0; begin < line.len; begin += strlen(line.bytes + begin) + 1)
		fputs(line.bytes + begin, stderr);
	for (size_t i = 0; i < count; i++)
		free(rows[i]);
	text_free(&line);
	free(rows);
}
