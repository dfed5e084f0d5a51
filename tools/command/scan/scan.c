// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val scan lists the names that an enforcing mount would refuse, and utf8val summary
 * counts those that several scans have listed. main.c calls both.
 */
#include "base/commands.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/newname.h"
#include "base/option.h"
#include "base/text.h"
#include "scan/bad.h"
#include "scan/hint.h"
#include "scan/list.h"
#include "scan/parts.h"
#include "scan/summary.h"
#include "utf8val.h"
#include "walk/app_data.h"
#include "walk/filter.h"
#include "walk/move.h"
#include "walk/operands.h"
#include "walk/progress.h"

struct scan {
	struct bad_user user;	/* first: walk.data points here */
	pthread_mutex_t lock;	/* of hint */
	struct hint hint;
	unsigned int output;	/* enum output */
	bool quiet;
	bool sum_up;
	bool is_list;
	struct summary summary;
};

static struct text told;	/* options, for utf8val summary */

/* The path of a name's directory, with the slash that belongs after it. */
static const struct bad_place *place_of(const struct walk_visit *visit,
					const struct bad_name *bad)
{
	struct bad_place *place = bad->place;
	struct text *path = &place->path;

	if (place->made)
		return place;
	path->len = 0;
	place->shown.len = 0;
	walk_path(path, visit->dir, NULL, 0);
	if (path->len && path->bytes[path->len - 1] != '/')
		text_add(path, "/", 1);
	text_escape(&place->shown, path->bytes, path->len);
	place->made = true;
	return place;
}

static void add_guess(struct text *line, const struct guess *guess)
{
	text_puts(line, ": ");
	text_puts(line, guess_label(guess));
	if (guess->kind == GUESS_NONE)
		return;
	text_puts(line, " (");
	text_puts(line, guess_sure_name(guess->sure));
	text_puts(line, ")");
}

/*
 * Would fix leave this name, if it has one to give? Whether names are a program's own is
 * known once all directories are read, which they are before anything is guessed.
 */
static bool stays(struct scan *scan, struct walk_visit *visit, const struct bad_name *bad,
		  const struct text *good)
{
	if ((!extra_is_one(bad->guess.kind) || bad->guess.kind == GUESS_DOUBLED ||
	     bad->guess.kind == GUESS_MISREAD) &&
	    newname_trouble(bad->name, bad->len, good->bytes, good->len))
		return true;
	return !scan->user.no_guess && !scan->is_list && app_data_message(visit->dir);
}

/* "PATH: byte 3: stray tail A9: ISO-8859-1 (likely): NAME" */
static void describe(struct text *line, struct walk_visit *visit,
		     struct guesser *guesser, const struct bad_name *bad)
{
	const struct colours *c = colours();
	struct scan *scan = visit->walk->data;
	struct utf8val_result r = utf8val_check(bad->name, bad->len);
	const struct bad_place *place = place_of(visit, bad);
	text_auto good = { 0 };

	text_puts(line, c->path);
	/* no character has a slash in it: both halves are shown as the whole is */
	text_add(line, place->shown.bytes, place->shown.len);
	text_escape(line, bad->name, bad->len);
	text_puts(line, c->off);
	text_puts(line, ": ");
	if (extra_is_one(bad->guess.kind)) {
		extra_reason(&scan->user.extra, bad->name, bad->len, line);
	} else {
		/* printf() would take longer than all else here */
		text_puts(line, "byte ");
		text_number(line, r.valid);
		text_puts(line, ": ");
		text_puts(line, c->bad);
		text_puts(line, utf8val_reason_name(r.reason));
		text_puts(line, c->off);
		text_puts(line, " ");
		text_hex(line, bad->name + r.valid, r.bad, ' ');
		if (!scan->user.no_guess)
			add_guess(line, &bad->guess);
	}
	if (bad_convert(&scan->user, guesser, bad, &good)) {
		pthread_mutex_lock(&scan->lock);
		hint_note(&scan->hint, &bad->guess);
		if (!stays(scan, visit, bad, &good))
			hint_count(&scan->hint, &bad->guess);
		pthread_mutex_unlock(&scan->lock);
		text_puts(line, ": ");
		text_puts(line, c->good);
		text_escape(line, good.bytes, good.len);
		text_puts(line, c->off);
	}
	text_puts(line, "\n");
}

static void describe_json(struct text *line, const struct scan *scan,
			  struct guesser *guesser, const struct bad_name *bad,
			  const struct text *path)
{
	struct utf8val_result r = utf8val_check(bad->name, bad->len);
	text_auto good = { 0 }, reason = { 0 };

	text_json(line, "{\"path\":", path->bytes, path->len);
	text_json(line, ",\"name\":", bad->name, bad->len);
	if (extra_is_one(bad->guess.kind)) {
		extra_reason(&scan->user.extra, bad->name, bad->len, &reason);
		text_json_string(line, ",\"reason\":", reason.bytes, reason.len);
	} else {
		text_printf(line, ",\"offset\":%zu,\"length\":%u,"
			    "\"reason\":\"%s\"", r.valid, r.bad,
			    utf8val_reason_name(r.reason));
	}
	if (bad->guess.kind != GUESS_NONE) {
		const char *label = guess_label(&bad->guess);

		text_json_string(line, ",\"guess\":{\"as\":", label, strlen(label));
		text_printf(line, ",\"sure\":\"%s\"", guess_sure_name(bad->guess.sure));
		if (bad_convert(&scan->user, guesser, bad, &good))
			text_json_string(line, ",\"name\":", good.bytes, good.len);
		text_puts(line, "}");
	}
	text_puts(line, "}\n");
}

/* The path, the new name if there is a good one, and what the name is. */
static void describe_tabs(struct text *line, const struct scan *scan,
			  struct guesser *guesser, const struct bad_name *bad,
			  const struct text *path)
{
	text_auto good = { 0 };

	text_column(line, path->bytes, path->len);
	text_puts(line, "\t");
	if (bad_convert(&scan->user, guesser, bad, &good) &&
	    !newname_trouble(bad->name, bad->len, good.bytes, good.len))
		text_escape(line, good.bytes, good.len);
	text_puts(line, "\t");
	text_puts(line, guess_label(&bad->guess));
	if (bad->guess.kind != GUESS_NONE) {
		text_puts(line, ", ");
		text_puts(line, guess_sure_name(bad->guess.sure));
	}
	text_puts(line, "\n");
}

static void found(struct walk_visit *visit, struct guesser *guesser,
		  const struct bad_name *bad, struct text *out)
{
	struct scan *scan = visit->walk->data;
	const struct text *place;
	text_auto path = { 0 };

	if (scan->quiet)
		return;
	if (scan->sum_up) {
		summary_count(&scan->summary, visit->dir, &bad->guess);
		return;
	}
	if (scan->output == OUTPUT_TEXT) {
		describe(out, visit, guesser, bad);
		return;
	}
	place = &place_of(visit, bad)->path;
	text_add(&path, place->bytes, place->len);
	text_add(&path, bad->name, bad->len);
	if (scan->output == OUTPUT_JSON)
		describe_json(out, scan, guesser, bad, &path);
	else if (scan->output == OUTPUT_TABS)
		describe_tabs(out, scan, guesser, bad, &path);
	else
		text_add(out, path.bytes, path.len);
	if (scan->output == OUTPUT_NULL)
		text_add(out, "", 1);
}

/* "PATH: points to TARGET, which is not UTF-8": told, but no bad name. */
static void describe_link(struct walk_visit *visit, const char *name,
			  size_t len, const char *target)
{
	struct scan *scan = visit->walk->data;
	text_auto path = { 0 }, line = { 0 };

	walk_path(&path, visit->dir, name, len);
	if (scan->output == OUTPUT_JSON) {
		text_json(&line, "{\"path\":", path.bytes, path.len);
		text_json(&line, ",\"target\":", target, strlen(target));
		text_puts(&line, "}\n");
	} else {
		text_puts(&line, colours()->path);
		text_escape(&line, path.bytes, path.len);
		text_printf(&line, "%s: points to ", colours()->off);
		text_escape(&line, target, strlen(target));
		text_puts(&line, ", which is not UTF-8\n");
	}
	progress_emit(&scan->user.progress, &line);
}

static void entry(struct walk_visit *visit, const char *name, size_t len,
		  unsigned char type)
{
	const struct scan *scan = visit->walk->data;
	char *target;

	bad_entry(visit, name, len);
	if (type != DT_LNK || scan->quiet || scan->sum_up || scan->output == OUTPUT_NULL ||
	    scan->output == OUTPUT_TABS)
		return;
	target = move_read_target(visit->fd, name);
	if (target && !utf8val_valid(target, strlen(target)))
		describe_link(visit, name, len, target);
	free(target);
}

/* A directory in which good names count, for utf8val summary. */
static void found_good(struct walk_visit *visit, struct text *out)
{
	const struct scan *scan = visit->walk->data;
	text_auto path = { 0 };

	if (scan->sum_up || scan->output != OUTPUT_JSON)
		return;
	walk_path(&path, visit->dir, NULL, 0);
	text_json(out, "{\"directory\":", path.bytes, path.len);
	text_puts(out, ",\"good\":true}\n");
}

/* The first record of --json: what utf8val summary has to know of the scan. */
static void print_begin(const struct scan *scan, char *const *paths)
{
	text_auto line = { 0 };

	text_puts(&line, "{\"begin\":\"scan\"");
	if (!scan->is_list) {
		text_puts(&line, ",\"operands\":[");
		for (const char *comma = ""; *paths; paths++, comma = ",")
			text_json(&line, comma, *paths, strlen(*paths));
		text_puts(&line, "]");
	}
	text_puts(&line, ",\"options\":[");
	text_add(&line, told.bytes, told.len);
	text_puts(&line, "]}\n");
	text_emit(&line);
}

static struct walk walk;

/* The options go here, and a walk's callbacks use it. */
static struct scan scan = {
	.user = { .found = found, .found_good = found_good,
		  .lock = PTHREAD_MUTEX_INITIALIZER },
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.hint.options = { .extra = &scan.user.extra, .walk = &walk },
	.summary = { .lock = PTHREAD_MUTEX_INITIALIZER,
		     .options = { .extra = &scan.user.extra, .walk = &walk } },
};

static struct walk walk = {
	.own_names = true, .entry = entry, .leave = bad_leave,
	.thread_end = bad_thread_end, .tick = bad_tick, .data = &scan,
};

static const char *list;

static const struct command_option options[] = {
	{ '0', "null", NULL, "Print only paths, raw, each terminated by NUL",
	  .number = &scan.output, .value = OUTPUT_NULL },
	WALK_OPTION_CROSS(&walk),
	WALK_OPTION_EXCLUDE(&walk),
	OPERANDS_OPTION_FILES(&list),
	OPTION_JSON(&scan.output),
	SUMMARY_OPTION_DEPTH(&scan.summary),
	WALK_OPTION_THREADS(&walk),
	{ 'L', "follow", NULL, "Follow symbolic links to directories",
	  .flag = &walk.follow },
	WALK_OPTION_DEPTH(&walk),
	{ 0, "names", NULL,
	  "Read paths from standard input, one a line or ended by NUL, "
	  "and explain those, whether or not there are such files",
	  .flag = &scan.is_list,
	  .never_with = "cross-devices exclude files0-from follow "
			"max-depth summary threads " },
	{ 0, "no-guess", NULL, "Do not guess what the names probably are",
	  .flag = &scan.user.no_guess, .told = true },
	EXTRA_OPTION_MOJIBAKE(&scan.user.extra),
	EXTRA_OPTION_DAMAGED(&scan.user.extra),
	EXTRA_OPTION_NORMAL(&scan.user.extra),
	EXTRA_OPTION_PORTABLE(&scan.user.extra),
	{ 0, "tabs", NULL,
	  "Print path, proposed name and guess, with tabs between them: to "
	  "be edited, and given to fix --plan",
	  .number = &scan.output, .value = OUTPUT_TABS },
	EXTRA_OPTION_UNSAFE(&scan.user.extra),
	{ 'q', "quiet", NULL, "Print only errors; the exit status tells the rest",
	  .flag = &scan.quiet },
	{ 0, "summary", NULL,
	  "Print only counts by directory and guess, and what to do next",
	  .flag = &scan.sum_up, .never_with = "null quiet tabs " },
	{ 0 },
};

static const struct usage usage = {
	.operands = "[PATH...]",
	.or_operands = "--names <LIST",
	.does = "List every name under PATH (default: .) that is not "
		"UTF-8, and that a mount with utf8val=enforce would "
		"therefore refuse: its path, where and why it is "
		"ill-formed, and what it probably is.",
	.statuses = "0 if every name is UTF-8, 1 if one is not, 2 if "
		    "something could not be read.",
	.options = options,
	.told = &told,
};

/* What follows when all names have been met; an exit status. */
static int finish(char **paths)
{
	bool is_json = scan.output == OUTPUT_JSON;

	bad_finish(&walk);
	progress_end(&scan.user.progress, &walk, !scan.quiet);
	if (scan.sum_up)
		summary_print(&scan.summary, paths, &scan.user.progress, is_json);
	else if (!interrupted && !scan.is_list)
		hint_print(&scan.hint, list, paths);
	if (is_json && !scan.quiet && !scan.sum_up)
		progress_print_end(&scan.user.progress, &walk, "scan");
	return progress_status(&scan.user.progress, &walk);
}

int scan_main(int argc, char **argv)
{
	char **paths = argv + options_parse(argc, argv, &usage);

	if (scan.summary.depth && !scan.sum_up) {
		complain(NULL, 0, "--depth needs --summary; --max-depth limits the scan. Run: "
			 "utf8val scan --help");
		return STATUS_TROUBLE;
	}
	if (scan.is_list && *paths) {
		complain(*paths, strlen(*paths), "--names reads the names from "
			 "standard input, so it takes no PATH. Run: utf8val scan --help");
		return STATUS_TROUBLE;
	}
	paths = operands_get(paths, list, ".");
	if (!paths)
		return STATUS_TROUBLE;
	operands_drop_nested(paths, &walk);
	if (scan.quiet || scan.output == OUTPUT_NULL)
		scan.user.no_guess = true;
	interrupt_catch();
	scan.user.progress.has_extra = extra_any(&scan.user.extra);
	scan.user.progress.quiet = scan.quiet;
	progress_begin(&scan.user.progress);
	if (scan.output == OUTPUT_JSON && !scan.quiet && !scan.sum_up)
		print_begin(&scan, paths);
	if (scan.is_list)
		list_read(&walk);
	else
		walk_run(&walk, paths, options_count(paths));
	return finish(paths);
}

static bool accept_errors;

static const struct command_option summary_options[] = {
	{ 0, "accept-errors", NULL,
	  "Also accept parts of scans that could not read something",
	  .flag = &accept_errors },
	SUMMARY_OPTION_DEPTH(&scan.summary),
	OPTION_JSON(&scan.output),
	{ 0 },
};

static const struct usage summary_usage = {
	.operands = "FILE...",
	.does = "Print the table of scan --summary for several scans: each FILE (- is "
		"standard input) holds the output of scan --json, and all names are "
		"guessed together.",
	.statuses = "0 if every name is UTF-8, 1 if one is not, 2 if a part cannot be "
		    "used, or has errors.",
	.options = summary_options,
};

int summary_main(int argc, char **argv)
{
	char **files = argv + options_parse(argc, argv, &summary_usage), **paths;

	if (!*files) {
		complain(NULL, 0, "no FILE is given; each is the output of scan --json. "
			 "Run: utf8val summary --help");
		return STATUS_TROUBLE;
	}
	scan.sum_up = true;
	interrupt_catch();
	progress_begin(&scan.user.progress);
	paths = parts_read(&walk, files, options, accept_errors);
	if (!paths)
		return STATUS_TROUBLE;
	scan.user.progress.has_extra = extra_any(&scan.user.extra);
	return finish(paths);
}
