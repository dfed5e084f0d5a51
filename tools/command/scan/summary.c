// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The table of scan --summary, by directory and guess, and the commands for it.
 * scan/scan.c calls it.
 */
#include "scan/summary.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option.h"
#include "base/text.h"

/* commands printed; a user with more rows reads the table */
#define COMMANDS 8

/* The names of a directory that have one guess; or later, those of a place. */
struct count {
	unsigned long long names;
	struct guess guess;
	struct walk_dir *dir;
	struct place *place;
};

/* Directories of one answer, under the one that holds them all. */
struct place {
	struct walk_dir *dir;
	/* the charset that some names are sure to be in, if there is one such */
	const char *charset;
	bool sure;			/* fix would rename some names */
	unsigned long long in_charset;	/* of these, those in that charset */
	unsigned long long unsure_in_charset;	/* and those that it would not */
	bool undecided;			/* of those that it would not, one is */
	bool has_command;		/* it was printed, or there is none */
};

static int compare_guesses(const struct guess *a, const struct guess *b)
{
	int order = strcmp(a->charset ? a->charset : "", b->charset ? b->charset : "");

	if (!order)
		order = (int)a->kind - (int)b->kind;
	return order ? order : (int)a->sure - (int)b->sure;
}

static int compare_counts(const void *left, const void *right)
{
	const struct count *a = left, *b = right;

	if (a->dir != b->dir)
		return (uintptr_t)a->dir < (uintptr_t)b->dir ? -1 : 1;
	if (a->guess.undecided != b->guess.undecided)
		return a->guess.undecided ? 1 : -1;
	return compare_guesses(&a->guess, &b->guess);
}

void summary_count(struct summary *summary, const struct walk_dir *dir,
		   const struct guess *guess)
{
	unsigned int depth = summary->depth ? summary->depth : SUMMARY_DEPTH;
	struct count *count = must(calloc(1, sizeof(*count))), **found;

	if (dir->depth > depth)
		dir = walk_above(dir, depth);
	count->dir = walk_ref((struct walk_dir *)(uintptr_t)dir);
	count->guess = *guess;
	pthread_mutex_lock(&summary->lock);
	found = must(tsearch(count, &summary->counts, compare_counts));
	summary->count += *found == count;
	(*found)->names++;
	pthread_mutex_unlock(&summary->lock);
	if (*found == count)
		return;
	walk_unref(count->dir);
	free(count);
}

/* Directories after those below them, so that what is below one stands together. */
static int by_place(const void *left, const void *right)
{
	const struct count *a = *(const struct count *const *)left;
	const struct count *b = *(const struct count *const *)right;
	int order = a->dir == b->dir ? 0 : walk_compare(a->dir, b->dir);

	return order ? order : compare_guesses(&a->guess, &b->guess);
}

static int by_names(const void *left, const void *right)
{
	const struct count *a = left, *b = right;
	int order = 0;

	if (a->names != b->names)
		return a->names > b->names ? -1 : 1;
	if (a->place->dir != b->place->dir)
		order = walk_compare(a->place->dir, b->place->dir);
	return order ? order : compare_guesses(&a->guess, &b->guess);
}

/* The table while its rows are put together. */
struct table {
	struct count *rows;
	size_t count;
	struct place *places;
	size_t place_count;
	char *const *roots;
};

/*
 * Do guesses that are sure agree on a charset? Then that is set; to NULL where none is for
 * a charset.
 */
static bool agree(struct count *const *counts, size_t count, const char **charset)
{
	*charset = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct guess *guess = &counts[i]->guess;

		if (guess->kind != GUESS_CHARSET || guess->sure < GUESS_LIKELY)
			continue;
		if (*charset && !guess_is_family(*charset, guess->charset)) {
			*charset = NULL;
			return false;
		}
		*charset = guess->charset;
	}
	return true;
}

static bool is_in(const struct guess *guess, const char *charset)
{
	return charset && guess->kind == GUESS_CHARSET &&
	       guess_is_family(guess->charset, charset);
}

static void count_in_place(struct place *place, const struct count *count)
{
	bool in_charset = is_in(&count->guess, place->charset);

	if (count->guess.kind == GUESS_NONE || count->guess.kind == GUESS_UCS4 ||
	    extra_lists_only(count->guess.kind))
		return;
	if (count->guess.sure >= GUESS_LIKELY) {
		place->sure = true;
		place->in_charset += in_charset ? count->names : 0;
	} else if (count->guess.kind == GUESS_CHARSET) {
		place->unsure_in_charset += in_charset ? count->names : 0;
		place->undecided |= count->guess.undecided;
	}
}

/* Do names with these guesses stand in one row? */
static bool is_one_row(const struct guess *a, const struct guess *b)
{
	return a->kind == b->kind && a->sure == b->sure &&
	       (a->kind != GUESS_CHARSET || guess_is_family(a->charset, b->charset));
}

/* A place, and a row for each guess that there is in it. */
static void add_place(struct table *table, struct count *const *counts,
		      size_t count, struct walk_dir *dir)
{
	struct place *place = &table->places[table->place_count++];
	size_t first = table->count;

	place->dir = dir;
	agree(counts, count, &place->charset);
	for (size_t i = 0; i < count; i++) {
		struct count *row = table->rows + first;

		count_in_place(place, counts[i]);
		while (row < table->rows + table->count &&
		       !is_one_row(&row->guess, &counts[i]->guess))
			row++;
		if (row == table->rows + table->count) {
			*row = *counts[i];
			row->place = place;
			row->names = 0;
			table->count++;
		}
		row->names += counts[i]->names;
	}
}

/* The places of counts that are in order, all below one directory or in it. */
static void add_places(struct table *table, struct count *const *counts, size_t count)
{
	struct walk_dir *first = counts[0]->dir, *last = counts[count - 1]->dir;
	/* all others lie between */
	struct walk_dir *common = first == last ? first :
		(struct walk_dir *)(uintptr_t)walk_common(first, last);
	size_t begin = 0, end;
	const char *charset;

	if (first == last || agree(counts, count, &charset)) {
		add_place(table, counts, count, common);
		return;
	}
	for (; begin < count && counts[begin]->dir != common; begin = end) {
		const struct walk_dir *below = walk_above(counts[begin]->dir,
							  common->depth + 1);

		for (end = begin + 1; end < count && counts[end]->dir != common &&
				      walk_above(counts[end]->dir,
						 common->depth + 1) == below;)
			end++;
		/* no deeper than SUMMARY_DEPTH_MOST */
		add_places(table, counts + begin, end - begin);
	}
	if (begin < count)
		add_place(table, counts + begin, count - begin, common);
}

/* A root is called as it was given, also when its own name is what was counted. */
static void add_path(struct text *path, const struct table *table,
		     const struct place *place)
{
	if (place->dir->depth)
		walk_path(path, place->dir, NULL, 0);
	else
		text_puts(path, table->roots[place->dir->root & ~WALK_OWN_NAME]);
}

static void print_row(const struct table *table, const struct count *row, bool json)
{
	const char *label = guess_label(&row->guess);
	bool known = row->guess.kind != GUESS_NONE;
	text_auto line = { 0 }, path = { 0 };

	add_path(&path, table, row->place);
	if (json) {
		text_printf(&line, "{\"names\":%llu", row->names);
		text_json(&line, ",\"under\":", path.bytes, path.len);
		if (known) {
			text_json_string(&line, ",\"as\":", label, strlen(label));
			text_printf(&line, ",\"sure\":\"%s\"",
				    guess_sure_name(row->guess.sure));
		}
		text_puts(&line, "}\n");
	} else {
		text_printf(&line, "%9llu  %-22s %-10s ", row->names, label,
			    known ? guess_sure_name(row->guess.sure) : "");
		text_escape(&line, path.bytes, path.len);
		text_puts(&line, "\n");
	}
	text_emit(&line);
}

/*
 * The command for a place; false when there is none. Uncertain guesses are accepted if
 * at least as many certain ones have the same charset beside them, and never if some
 * names are undecided. Elsewhere many of them would be wrong: of one or two that had
 * nothing beside them six in a hundred were.
 */
static bool add_command(struct text *line, const struct table *table,
			const struct hint_options *options,
			const struct place *place)
{
	const char *charset = NULL;
	text_auto path = { 0 };
	size_t begin = line->len;

	if (place->unsure_in_charset && !place->undecided &&
		 place->in_charset >= place->unsure_in_charset)
		charset = place->charset;
	else if (!place->sure)
		return false;
	text_puts(line, "utf8val fix ");
	if (charset)
		text_printf(line, "--guessed %s ", charset);
	hint_add_options(options, place->dir, line);
	add_path(&path, table, place);
	text_add(&path, "", 1);
	if (path.bytes[0] == '-')
		text_puts(line, "-- ");
	text_shell(line, path.bytes);
	text_puts(line, "\n");
	/* a root and its name may want the same */
	if (!memmem(line->bytes, begin, line->bytes + begin, line->len - begin))
		return true;
	line->len = begin;
	return false;
}

static void print_commands(const struct table *table,
			   const struct hint_options *options)
{
	text_auto line = { 0 };
	unsigned int commands = 0;
	bool ill_formed = false;
	size_t begin;

	for (size_t i = 0; i < table->count; i++) {
		struct place *place = table->rows[i].place;

		ill_formed |= !extra_is_one(table->rows[i].guess.kind);
		if (place->has_command)
			continue;
		place->has_command = true;
		begin = line.len;
		commands += add_command(&line, table, options, place);
		if (commands > COMMANDS)
			line.len = begin;
	}
	if (commands > COMMANDS)
		text_printf(&line, "and %u more: see the table\n", commands - COMMANDS);
	if (line.len)
		fputs("utf8val: next, to preview the renames (--apply "
		      "renames):\n", stderr);
	else if (ill_formed)
		hint_none_sure(0);
	if (line.len)
		fwrite(line.bytes, 1, line.len, stderr);
}

void summary_print(struct summary *summary, char *const *roots,
		   const struct progress *progress, bool json)
{
	struct count **counts = must(calloc(summary->count + 1, sizeof(*counts)));
	struct table table = { .roots = roots };
	size_t count = 0, begin, end;

	while (summary->counts) {
		counts[count] = *(struct count **)summary->counts;
		tdelete(counts[count++], &summary->counts, compare_counts);
	}
	qsort(counts, count, sizeof(struct count *), by_place);
	table.rows = must(calloc(count + 1, sizeof(*table.rows)));
	table.places = must(calloc(count + 1, sizeof(*table.places)));
	for (begin = 0; begin < count; begin = end) {
		/* of a root's own name it is another directory than of the rest */
		for (end = begin + 1; end < count && walk_above(counts[end]->dir, 0) ==
				      walk_above(counts[begin]->dir, 0);)
			end++;
		add_places(&table, counts + begin, end - begin);
	}
	qsort(table.rows, table.count, sizeof(*table.rows), by_names);
	if (json)
		puts("{\"begin\":\"summary\"}");
	else if (count)
		printf("%9s  %-22s %-10s %s\n", "names", "charset", "confidence", "directory");
	for (size_t i = 0; i < table.count; i++)
		print_row(&table, &table.rows[i], json);
	if (json)
		progress_print_end(progress, summary->options.walk, "summary");
	fflush(stdout);
	if (!json)
		print_commands(&table, &summary->options);
	for (size_t i = 0; i < count; i++) {
		walk_unref(counts[i]->dir);
		free(counts[i]);
	}
	free(table.places);
	free(table.rows);
	free(counts);
}
