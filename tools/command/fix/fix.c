// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val fix: renames what a scan finds. main.c calls it. */
#include "base/commands.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/interrupt.h"
#include "base/option.h"
#include "fix/choose.h"
#include "walk/filter.h"
#include "walk/lock.h"
#include "walk/operands.h"

static const char *take_from(void *data, const char *charset)
{
	struct guesser *guesser = guesser_new();
	const char *wrong = NULL;
	struct fix *fix = data;

	if (!strcasecmp(charset, "CESU-8"))
		fix->from.kind = GUESS_CESU8;
	else if (!strcasecmp(charset, "MUTF-8"))
		fix->from.kind = GUESS_MUTF8;
	else if (!guess_knows(guesser, charset))
		wrong = "iconv knows no such charset; iconv -l lists them";
	else if (!guess_has_ascii(guesser, charset))
		wrong = "no file name is in this charset: it lacks ASCII";
	else
		fix->from = guess_charset(charset, GUESS_CERTAIN);
	guesser_free(guesser);
	return wrong;
}

static const char *take_guessed(void *data, const char *charset)
{
	struct fix *fix = data;

	fix->guessed = guess_made(charset);
	fix->guess = true;
	return fix->guessed ? NULL : "no name is ever guessed to be in this "
				     "charset; scan prints those that are";
}

static const char *take_sure(void *data, const char *level)
{
	struct fix *fix = data;

	for (enum guess_sure sure = GUESS_POSSIBLE; sure <= GUESS_CERTAIN;
	     sure++) {
		if (!strcmp(level, guess_sure_name(sure))) {
			fix->sure = sure;
			fix->sure_given = true;
			fix->guess = true;
			return NULL;
		}
	}
	return "there is possible, likely and certain";
}

static const char *take_rest(void *data, const char *what)
{
	struct fix *fix = data;

	if (!strcmp(what, "replace"))
		fix->rest = FIX_REPLACE;
	else if (!strcmp(what, "escape"))
		fix->rest = FIX_ESCAPE;
	else
		return "there is replace and escape";
	return NULL;
}

static void sum_up(const struct fix *fix)
{
	const struct renamer *renamer = &fix->renamer;
	text_auto line = { 0 };

	fflush(stdout);
	if (renamer->quiet && !interrupted)
		return;
	text_printf(&line, "utf8val: %llu %s, %llu skipped, %llu failed", renamer->renamed,
		    renamer->apply ? "renamed" : renamer->renamed ?
		    "would be renamed (run with --apply)" : "would be renamed",
		    renamer->left, renamer->troubles);
	if (renamer->links)
		text_printf(&line, ", %llu link%s %s", renamer->links,
			    renamer->links == 1 ? "" : "s",
			    renamer->apply ? "changed" : "would change");
	text_puts(&line, "\n");
	if (renamer->journal_path) {
		text_puts(&line, "utf8val: to undo it: utf8val undo ");
		if (*renamer->journal_path == '-')
			text_puts(&line, "-- ");
		text_shell(&line, renamer->journal_path);
		text_puts(&line, "\n");
	}
	fwrite(line.bytes, 1, line.len, stderr);
}

/* The last record of --json: without it, the output was cut. */
static void print_end(const struct renamer *renamer, const struct walk *walk)
{
	text_auto line = { 0 };

	text_printf(&line, "{\"end\":\"fix\",\"entries\":%llu,\"applied\":%s,"
		    "\"renamed\":%llu,\"left\":%llu,\"errors\":%llu,\"complete\":%s}\n",
		    (unsigned long long)walk->entries, renamer->apply ? "true" : "false",
		    renamer->renamed, renamer->left, renamer->troubles,
		    interrupted ? "false" : "true");
	text_emit(&line);
}

/* An entry that a walk meets: names, and links that may have to follow them. */
static void entry(struct walk_visit *visit, const char *name, size_t len,
		  unsigned char type)
{
	struct fix *fix = visit->walk->data;

	if (fix->plan)
		fix_find_planned(visit, name, len);
	else
		bad_entry(visit, name, len);
	if (type == DT_LNK)
		links_add(&fix->links, visit, name);
}

/* The options go here, and a walk's callbacks use it. */
static struct fix fix = {
	.user = { .found = fix_found, .keep = true, .lock = PTHREAD_MUTEX_INITIALIZER },
	.renamer.batch = 1000,
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.links.lock = PTHREAD_MUTEX_INITIALIZER,
};

static struct walk walk = {
	.own_names = true, .keep_roots = true, .entry = entry, .leave = bad_leave,
	.thread_end = bad_thread_end, .tick = bad_tick, .data = &fix,
};

static const char *list;
static bool dry_run, no_lock;

static const struct command_option options[] = {
	{ 0, "apply", NULL, "Rename; without it, only say what would be renamed",
	  .flag = &fix.renamer.apply, .never_with = "dry-run " },
	{ 0, "app-data", NULL,
	  "Rename also where names are a program's own: in .git, maildirs, "
	  "Nextcloud's data, ...",
	  .flag = &fix.renamer.app_data },
	{ 0, "batch", "N", NULL, .number = &fix.renamer.batch, .most = 1000000 },
	{ 0, "from", "CHARSET",
	  "Assume that names are in this charset: any that iconv "
	  "knows, CESU-8, or MUTF-8",
	  .take = take_from, .data = &fix },
	{ 0, "guess", NULL, NULL, .flag = &fix.guess },
	{ 0, "guessed", "CHARSET",
	  "Use only guesses at this charset, also those that are no "
	  "more than possible, and leave all other names",
	  .take = take_guessed, .data = &fix, .never_with = "from " },
	{ 'i', "interactive", NULL, "Ask before each rename; needs --apply",
	  .flag = &fix.renamer.ask, .never_with = "dry-run " },
	{ 0, "journal", "FILE",
	  "Keep the undo journal in this new file (default: one in "
	  "$XDG_STATE_HOME/utf8val)",
	  .string = &fix.renamer.journal },
	EXTRA_OPTION_MOJIBAKE(&fix.user.extra),
	EXTRA_OPTION_NORMAL(&fix.user.extra),
	{ 0, "plan", "FILE",
	  "Rename what this file says: edited lines of scan --json; "
	  "- is standard input",
	  .string = &fix.plan_path,
	  .never_with = "from guess guessed mojibake normalization portable rest sure " },
	EXTRA_OPTION_PORTABLE(&fix.user.extra),
	{ 0, "rest", "replace|escape",
	  "Write ill-formed bytes that were not converted as U+FFFD, or as %XX",
	  .take = take_rest, .data = &fix },
	{ 0, "shorten", NULL, "Cut names that would become too long",
	  .flag = &fix.renamer.shorten },
	{ 0, "sure", "possible|likely|certain",
	  "Use guesses that are at least so sure (default: likely)",
	  .take = take_sure, .data = &fix },
	{ 'n', "dry-run", NULL, "Rename nothing", .flag = &dry_run },
	{ 0, "no-lock", NULL, NULL, .flag = &no_lock },
	{ 0, "touch", NULL,
	  "Do not keep the times of directories, for programs that go by "
	  "those",
	  .flag = &fix.renamer.touch },
	{ 0, "tabs", NULL,
	  "Print path, new name and how it was found, with tabs between them: "
	  "for a report, or for --plan",
	  .number = &fix.renamer.output, .value = OUTPUT_TABS },
	{ '0', "null", NULL,
	  "Print old paths and new names raw, each terminated by NUL",
	  .number = &fix.renamer.output, .value = OUTPUT_NULL },
	WALK_OPTION_CROSS(&walk),
	WALK_OPTION_EXCLUDE(&walk),
	OPERANDS_OPTION_FILES(&list),
	OPTION_JSON(&fix.renamer.output),
	WALK_OPTION_DEPTH(&walk),
	WALK_OPTION_THREADS(&walk),
	{ 'q', "quiet", NULL, "Print only errors",
	  .flag = &fix.renamer.quiet },
	{ 0 },
};

static const struct usage usage = {
	.operands = "[PATH...]",
	.does = "Rename what scan finds under PATH (default: .), and "
		"adjust symbolic links there. Nothing is renamed "
		"without --apply, nothing is ever overwritten (a name "
		"that is taken gets a number), and utf8val undo restores "
		"every name from a journal.",
	.statuses = "0 if no bad name is left, 1 if some are "
		    "(after a dry run: all), 2 if something failed.",
	.options = options,
};

/* The subcommand after its options; an exit status. */
static int run(char **paths)
{
	struct renamer *renamer = &fix.renamer;

	operands_drop_nested(paths, &walk);
	if (renamer->output == OUTPUT_JSON && !renamer->quiet)
		puts("{\"begin\":\"fix\"}");
	fix.user.progress.has_extra = extra_any(&fix.user.extra);
	fix.user.progress.quiet = renamer->quiet;
	progress_begin(&fix.user.progress);
	walk_run(&walk, paths, options_count(paths));
	bad_finish(&walk);
	progress_end(&fix.user.progress, &walk, false);
	renamer->troubles += walk.troubles;
	if (fix.plan)
		renamer->troubles += plan_complain_unmet(fix.plan);
	if (!interrupted)
		rename_all(renamer, &fix.requests, &fix.links);
	if (renamer->output == OUTPUT_JSON && !renamer->quiet)
		print_end(renamer, &walk);
	sum_up(&fix);
	fix.hint.beside_sure = renamer->renamed;
	/* one at most: after a rename it is how to undo it */
	if (!renamer->quiet && renamer->output == OUTPUT_TEXT && !interrupted &&
	    !renamer->journal_path)
		hint_print(&fix.hint, list, paths);
	if (renamer->troubles || interrupted)
		return STATUS_TROUBLE;
	if (renamer->left || (renamer->renamed && !renamer->apply))
		return STATUS_BAD;
	return STATUS_GOOD;
}

/* Check and complete the options; false after a complaint. */
static bool settle(char **paths)
{
	struct renamer *renamer = &fix.renamer;

	if (renamer->ask && !renamer->apply) {
		complain(NULL, 0, "--interactive needs --apply. Run: utf8val fix --help");
		return false;
	}
	if (1 < (fix.plan_path && !strcmp(fix.plan_path, "-")) +
			(list && !strcmp(list, "-")) + renamer->ask) {
		complain(NULL, 0, "standard input can be one of: the plan, the list of "
			"paths, the answers. Run: utf8val fix --help");
		return false;
	}
	if (fix.plan_path) {
		fix.plan = plan_read(fix.plan_path);
		if (!fix.plan)
			return false;
		fix.links.all = true;
		/* the directories of a plan may have become links since it was made */
		walk.straight = !*paths && !list;
	}
	if (fix.from.kind == GUESS_NONE && fix.rest == FIX_LEAVE)
		fix.guess = true;
	if (!fix.sure_given)
		fix.sure = fix.guessed ? GUESS_POSSIBLE : GUESS_LIKELY;
	fix.user.no_guess = !fix.guess;
	/* names that are UTF-8 are pointed to by targets that are */
	fix.links.all |= extra_any(&fix.user.extra);
	fix.hint.options = (struct hint_options){
		.extra = &fix.user.extra, .walk = &walk,
		.app_data = renamer->app_data, .shorten = renamer->shorten };
	renamer->may_wait = fix.plan || fix.user.extra.normal != NORMAL_ANY;
	return true;
}

int fix_main(int argc, char **argv)
{
	char **paths = argv + options_parse(argc, argv, &usage);

	/*
	 * A journal that grows too large must cause an error, not a signal. If nobody
	 * reads the output, the journal's name must still be printed.
	 */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	interrupt_catch();
	if (!settle(paths))
		return STATUS_TROUBLE;
	paths = operands_get(paths, list, fix.plan ? plan_root(fix.plan) : ".");
	if (!paths)
		return STATUS_TROUBLE;
	if (fix.renamer.apply && !no_lock &&
	    !lock_trees((const char *const *)paths, options_count(paths)))
		return STATUS_TROUBLE;
	return run(paths);
}
