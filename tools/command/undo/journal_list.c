// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val journal: lists the journals, prints what they contain, and removes old ones.
 * main.c calls it.
 */
#include "undo/undo.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/commands.h"
#include "base/option.h"
#include "base/text.h"
#include "undo/journal.h"
#include "undo/record_print.h"

#define SUFFIX ".journal"
#define DAY (24 * 60 * 60)

/* One journal of the list. */
struct journal_entry {
	char *path;
	struct journal_run run;
};

struct journal_entries {
	struct journal_entry *items;
	size_t count;
	unsigned long long troubles;	/* complained of already */
};

static int is_journal(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name), suffix = strlen(SUFFIX);

	return len > suffix && !strcmp(entry->d_name + len - suffix, SUFFIX);
}

static int compare_entries(const void *left, const void *right)
{
	const struct journal_entry *a = left, *b = right;

	if (a->run.when != b->run.when)
		return a->run.when > b->run.when ? -1 : 1;
	/* of two runs in one second the later one made its journal later */
	if (a->run.file.born != b->run.file.born)
		return a->run.file.born > b->run.file.born ? -1 : 1;
	return strcmp(a->path, b->path);
}

/* The journals in the usual place, the newest first. */
static struct journal_entries read_entries(void)
{
	struct journal_entries entries = { 0 };
	char *room = journal_room();
	struct dirent **names = NULL;
	int count = room ? scandir(room, &names, is_journal, alphasort) : 0;

	if (!room || (count < 0 && errno != ENOENT)) {
		complain(room, room ? strlen(room) : 0, "%s", room ?
			 strerror(errno) :
			 "XDG_STATE_HOME and HOME are not set, so there is no "
			 "directory of journals");
		entries.troubles++;
	}
	entries.items = must(calloc(count > 0 ? (size_t)count : 1,
				    sizeof(*entries.items)));
	for (int i = 0; i < count; i++) {
		struct journal_entry *entry = &entries.items[entries.count];

		if (asprintf(&entry->path, "%s/%s", room, names[i]->d_name) < 0)
			entry->path = NULL;
		free(names[i]);
		if (journal_read(must(entry->path), &entry->run)) {
			entries.count++;
		} else {
			entries.troubles++;
			free(entry->path);
		}
	}
	free(names);
	free(room);
	qsort(entries.items, entries.count, sizeof(*entries.items), compare_entries);
	return entries;
}

static void free_entries(struct journal_entries *entries)
{
	for (size_t i = 0; i < entries->count; i++) {
		free(entries->items[i].path);
		journal_free(&entries->items[i].run);
	}
	free(entries->items);
}

static const char *state_of(const struct journal_run *run)
{
	if (run->undone)
		return "undone";
	if (run->cut)
		return "cut";
	return run->ended ? "complete" : "stopped";
}

static size_t count_names(const struct journal_run *run)
{
	size_t count = 0;

	for (size_t i = 0; i < run->count; i++)
		count += !run->records[i].failed && run->records[i].kind == JOURNAL_NAME;
	return count;
}

static void add_time(struct text *line, const struct journal_run *run)
{
	char stamp[32];
	struct tm tm;

	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&run->when, &tm));
	text_puts(line, stamp);
}

/* "2026-11-22T21:00:00Z eve@srv1: 25 names below /srv (complete): PATH" */
static void describe(struct text *line, const struct journal_entry *entry)
{
	const struct journal_run *run = &entry->run;
	const char *user = run->user ? run->user : "unknown";
	const char *before = " below ";

	add_time(line, run);
	text_puts(line, " ");
	text_escape(line, user, strlen(user));
	if (run->host) {
		text_puts(line, "@");
		text_escape(line, run->host, strlen(run->host));
	}
	text_printf(line, ": %zu names", count_names(run));
	for (size_t i = 0; i < run->dir_count; i++) {
		if (run->dirs[i]->depth)
			continue;
		text_puts(line, before);
		text_escape(line, run->dirs[i]->name, run->dirs[i]->len);
		before = ", ";
	}
	text_printf(line, " (%s): ", state_of(run));
	text_shell(line, entry->path);
	text_puts(line, "\n");
}

static void describe_json(struct text *line, const struct journal_entry *entry)
{
	const struct journal_run *run = &entry->run;
	const char *user = run->user ? run->user : "unknown";
	const char *before = "";

	text_json(line, "{\"journal\":", entry->path, strlen(entry->path));
	text_puts(line, ",\"when\":\"");
	add_time(line, run);
	text_json(line, "\",\"user\":", user, strlen(user));
	if (run->host)
		text_json(line, ",\"host\":", run->host, strlen(run->host));
	text_printf(line, ",\"names\":%zu,\"state\":\"%s\",\"trees\":[",
		    count_names(run), state_of(run));
	for (size_t i = 0; i < run->dir_count; i++) {
		if (run->dirs[i]->depth)
			continue;
		text_json(line, before, run->dirs[i]->name, run->dirs[i]->len);
		before = ",";
	}
	text_puts(line, "]}\n");
}

static void print_entry(const struct journal_entry *entry, unsigned int output)
{
	text_auto line = { 0 };

	if (output == OUTPUT_JSON)
		describe_json(&line, entry);
	else if (output == OUTPUT_NULL)
		text_add(&line, entry->path, strlen(entry->path) + 1);
	else
		describe(&line, entry);
	text_emit(&line);
}

char *journal_last(void)
{
	struct journal_entries entries = read_entries();
	char *user = journal_user(), *host = journal_host(), *path = NULL;
	const struct journal_entry *last = NULL;
	text_auto line = { 0 };

	for (size_t i = 0; i < entries.count && !last; i++) {
		const struct journal_run *run = &entries.items[i].run;

		/* servers may share the directory */
		if (!run->undone && (!run->host || !strcmp(run->host, host)))
			last = &entries.items[i];
	}
	if (!last) {
		complain(NULL, 0, "no journal of this host is left to undo. Run: utf8val "
				  "journal list");
	} else if (!last->run.user || strcmp(last->run.user, user) != 0) {
		complain(last->path, strlen(last->path),
			 "the newest journal is another user's. Run: utf8val undo "
			 "JOURNAL");
	} else {
		path = must(strdup(last->path));
		describe(&line, last);
		fputs("utf8val: ", stderr);
		fwrite(line.bytes, 1, line.len, stderr);
	}
	free(host);
	free(user);
	free_entries(&entries);
	return path;
}

void journal_complain_missing(void)
{
	struct journal_entries entries = read_entries();

	complain(NULL, 0, entries.count ?
		 "undo needs a journal, or --last for the newest; there are:" :
		 "undo needs a journal, and there is none in the usual "
		 "place");
	for (size_t i = 0; i < entries.count; i++) {
		text_auto line = { 0 };

		describe(&line, &entries.items[i]);
		fwrite(line.bytes, 1, line.len, stderr);
	}
	free_entries(&entries);
}

struct journal_options {
	unsigned int output;	/* enum output */
	unsigned int days;	/* 0: any age */
	bool undone, dry_run;
};

static int list(const struct journal_options *options)
{
	struct journal_entries entries = read_entries();
	int status = entries.troubles ? STATUS_TROUBLE : STATUS_GOOD;

	for (size_t i = 0; i < entries.count; i++)
		print_entry(&entries.items[i], options->output);
	free_entries(&entries);
	return status;
}

static int show(const struct journal_options *options, char *path)
{
	struct journal_entry entry = { .path = path };
	bool cut;

	if (!journal_read(path, &entry.run))
		return STATUS_TROUBLE;
	if (options->output == OUTPUT_TEXT)
		print_entry(&entry, OUTPUT_TEXT);
	for (size_t i = 0; i < entry.run.count; i++) {
		if (!entry.run.records[i].failed)
			record_print(&entry.run.records[i], options->output, false, NULL);
	}
	cut = entry.run.cut;
	journal_free(&entry.run);
	return cut ? STATUS_TROUBLE : STATUS_GOOD;
}

static bool can_go(const struct journal_options *options,
		   const struct journal_entry *entry)
{
	time_t age = time(NULL) - entry->run.when;

	if (options->undone && entry->run.undone)
		return true;
	return options->days && age / DAY >= (time_t)options->days;
}

static int prune(const struct journal_options *options)
{
	struct journal_entries entries;
	int status;

	if (!options->days && !options->undone) {
		complain(NULL, 0, "prune needs --days, --undone or both. Run: "
				  "utf8val journal --help");
		return STATUS_TROUBLE;
	}
	entries = read_entries();
	status = entries.troubles ? STATUS_TROUBLE : STATUS_GOOD;
	for (size_t i = 0; i < entries.count; i++) {
		struct journal_entry *entry = &entries.items[i];

		if (!can_go(options, entry))
			continue;
		if (!options->dry_run && unlink(entry->path)) {
			complain_errno(entry->path, strlen(entry->path), errno);
			status = STATUS_TROUBLE;
			continue;
		}
		print_entry(entry, options->output);
	}
	free_entries(&entries);
	return status;
}

int journal_main(int argc, char **argv)
{
	struct journal_options options = { 0 };
	const struct command_option table[] = {
		{ 0, "days", "N", "prune: those at least N days old",
		  .number = &options.days, .most = 100000 },
		{ 'n', "dry-run", NULL, "prune: remove nothing, only print which",
		  .flag = &options.dry_run },
		OPTION_JSON(&options.output),
		{ '0', "null", NULL,
		  "Print raw bytes, each terminated by NUL: journals, or old "
		  "paths and new names",
		  .number = &options.output, .value = OUTPUT_NULL },
		{ 0, "undone", NULL, "prune: those that have been undone",
		  .flag = &options.undone },
		{ 0 },
	};
	const struct usage usage = {
		.operands = "list|prune",
		.or_operands = "show JOURNAL",
		.does = "List the undo journals that fix has kept: when, by "
			"whom, how many names, below which directories, and "
			"whether that has been undone. show: print the "
			"contents of one. prune: remove those that are old, or "
			"undone.",
		.statuses = "0, or 2 if a journal could not be read or "
			    "removed.",
		.options = table,
	};
	char **operands = argv + options_parse(argc, argv, &usage);
	size_t count = options_count(operands);

	if (count == 1 && !strcmp(operands[0], "prune"))
		return prune(&options);
	if (count && (options.days || options.undone || options.dry_run)) {
		complain(NULL, 0, "--days, --undone and --dry-run are for prune. Run: "
				  "utf8val journal --help");
		return STATUS_TROUBLE;
	}
	if (count == 1 && !strcmp(operands[0], "list"))
		return list(&options);
	if (count == 2 && !strcmp(operands[0], "show"))
		return show(&options, operands[1]);
	complain(NULL, 0, "the command is list, show JOURNAL or prune. Run: utf8val "
			  "journal --help");
	return STATUS_TROUBLE;
}
