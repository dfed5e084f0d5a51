// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val fix: rename what a scan finds. */
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
#include "undo/undo.h"
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

static void sum_up(const struct fix *fix)
{
	const struct renamer *renamer = &fix->renamer;
	text_auto line = { 0 };

	fflush(stdout);
	if (renamer->quiet && !interrupted)
		return;
	text_printf(&line, "utf8val: %llu %s, %llu left as they are, %llu "
		    "failed", renamer->renamed,
		    renamer->apply ? "renamed" : "to rename (--apply does it)",
		    renamer->left, renamer->troubles);
	if (renamer->links)
		text_printf(&line, ", %llu link%s %s", renamer->links,
			    renamer->links == 1 ? "" : "s",
			    renamer->apply ? "changed" : "to change");
	text_puts(&line, "\n");
	if (renamer->journal_path) {
		text_puts(&line, "utf8val: to undo it: utf8val fix --undo ");
		if (*renamer->journal_path == '-')
			text_puts(&line, "-- ");
		text_shell(&line, renamer->journal_path);
		text_puts(&line, "\n");
	}
	fwrite(line.bytes, 1, line.len, stderr);
}

/* What a walk meets: names, and links that may have to follow them. */
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

/* The subcommand after its options; an exit status. */
static int run(struct fix *fix, struct walk *walk, const char *list, char **paths)
{
	struct renamer *renamer = &fix->renamer;

	operands_drop_nested(paths, walk);
	fix->user.progress.has_rules = rules_any(&fix->user.rules);
	progress_begin(&fix->user.progress);
	walk_run(walk, paths, options_count(paths));
	bad_finish(walk);
	progress_end(&fix->user.progress, walk, false);
	renamer->troubles += walk->troubles;
	if (fix->plan)
		renamer->troubles += plan_complain_unmet(fix->plan);
	if (!interrupted)
		rename_all(renamer, &fix->requests, &fix->links);
	sum_up(fix);
	fix->hint.beside_sure = renamer->renamed;
	/* one at most: after a rename it is how to undo it */
	if (!renamer->quiet && renamer->output == OUTPUT_TEXT && !interrupted &&
	    !renamer->journal_path)
		hint_print(&fix->hint, list, paths);
	if (renamer->troubles || interrupted)
		return STATUS_TROUBLE;
	if (renamer->left || (renamer->renamed && !renamer->apply))
		return STATUS_BAD;
	return STATUS_GOOD;
}

/*
 * --undo takes what follows for its journal, as --undo=FILE does; without any,
 * or with --last, it is found.
 */
static int run_undo(struct undo_options *options, bool last, char **operands)
{
	char *found = NULL;
	int status;

	if (last && options->journal) {
		complain(NULL, 0, "a journal or --last, not both");
		return STATUS_TROUBLE;
	}
	if (last) {
		found = journal_last();
		if (!found)
			return STATUS_TROUBLE;
		options->journal = found;
	} else if (!options->journal && !*operands) {
		journal_complain_missing();
		return STATUS_TROUBLE;
	} else if (!options->journal) {
		options->journal = *operands++;
	}
	options->trees = operands;
	status = undo(options);
	free(found);
	return status;
}

#define NEVER_WITH_UNDO \
	"app-data apply batch cross-devices escape exclude files0-from from guess " \
	"guessed interactive journal max-depth mojibake normalization plan portable replace " \
	"shorten sure threads touch "

int fix_main(int argc, char **argv)
{
	const char *list = NULL;
	bool dry_run = false, is_undo = false, last = false;
	struct undo_options undoing = { 0 };
	struct fix fix = { .user = { .found = fix_found, .keep = true,
				     .lock = PTHREAD_MUTEX_INITIALIZER },
			   .renamer.batch = 1000,
			   .lock = PTHREAD_MUTEX_INITIALIZER,
			   .links.lock = PTHREAD_MUTEX_INITIALIZER };
	struct walk walk = { .own_names = true, .keep_roots = true,
			     .entry = entry, .leave = bad_leave,
			     .thread_end = bad_thread_end, .tick = bad_tick,
			     .data = &fix };
	struct renamer *renamer = &fix.renamer;
	const struct command_option options[] = {
		{ 0, "apply", NULL, "Rename; without it, only say what would be renamed",
		  .flag = &renamer->apply, .never_with = "dry-run " },
		{ 0, "app-data", NULL,
		  "Rename also where names are a program's own: in .git, maildirs, "
		  "Nextcloud's data, ...",
		  .flag = &renamer->app_data },
		{ 0, "batch", "N",
		  "Synchronise the journal after N names (default: 1000)",
		  .number = &renamer->batch, .most = 1000000 },
		{ 0, "escape", NULL,
		  "Write ill-formed bytes that were not converted as %XX",
		  .number = &fix.rest, .value = FIX_ESCAPE },
		{ 0, "from", "CHARSET",
		  "Assume that names are in this charset: any that iconv "
		  "knows, CESU-8, or MUTF-8",
		  .take = take_from, .data = &fix },
		{ 0, "guess", NULL,
		  "Use the guess that scan shows (default without --from, "
		  "--replace and --escape)",
		  .flag = &fix.guess },
		{ 0, "guessed", "CHARSET",
		  "Use only guesses at this charset, also those that are no "
		  "more than possible, and leave all other names",
		  .take = take_guessed, .data = &fix, .never_with = "from " },
		{ 'i', "interactive", NULL, "Ask before each rename; needs --apply",
		  .flag = &renamer->ask, .never_with = "dry-run " },
		{ 0, "journal", "FILE",
		  "Keep the undo journal in this new file (default: one in "
		  "$XDG_STATE_HOME/utf8val)",
		  .string = &renamer->journal },
		RULES_OPTION_MOJIBAKE(&fix.user.rules),
		RULES_OPTION_NORMAL(&fix.user.rules),
		{ 0, "plan", "FILE",
		  "Rename what this file says: edited lines of scan --json; "
		  "- is standard input",
		  .string = &fix.plan_path,
		  .never_with = "escape from guess guessed mojibake "
				"normalization portable replace sure " },
		RULES_OPTION_PORTABLE(&fix.user.rules),
		{ 0, "replace", NULL,
		  "Replace ill-formed sequences that were not converted with "
		  "U+FFFD",
		  .number = &fix.rest, .value = FIX_REPLACE },
		{ 0, "shorten", NULL, "Cut names that would become too long",
		  .flag = &renamer->shorten },
		{ 0, "sure", "possible|likely|certain",
		  "Use guesses that are at least so sure (default: likely)",
		  .take = take_sure, .data = &fix },
		{ 'n', "dry-run", NULL, "Rename nothing", .flag = &dry_run },
		{ 0, "undo", "JOURNAL",
		  "Restore the names that JOURNAL holds, in the trees where "
		  "they were or, if those have moved, in DIR; with "
		  "--dry-run, only say so",
		  .optional = true, .flag = &is_undo,
		  .string = &undoing.journal,
		  .never_with = NEVER_WITH_UNDO },
		{ 0, "last", NULL, "With --undo: your own newest journal",
		  .flag = &last },
		{ 0, "no-lock", NULL, "Rename even where another run does",
		  .flag = &undoing.no_lock },
		{ 0, "touch", NULL,
		  "Do not keep the times of directories, for programs that go by "
		  "those",
		  .flag = &renamer->touch },
		{ 0, "trust-names", NULL,
		  "With --undo: compare only names, for a copy of the tree, "
		  "not the identity of files",
		  .flag = &undoing.trust_names },
		{ '0', "null", NULL,
		  "Print old paths and new names raw, each terminated by NUL",
		  .number = &renamer->output, .value = OUTPUT_NULL },
		WALK_OPTION_CROSS(&walk),
		WALK_OPTION_EXCLUDE(&walk),
		OPERANDS_OPTION_FILES(&list),
		OPTION_JSON(&renamer->output),
		WALK_OPTION_DEPTH(&walk),
		WALK_OPTION_THREADS(&walk),
		{ 'q', "quiet", NULL, "Print only errors",
		  .flag = &renamer->quiet },
		{ 0 },
	};
	const struct usage usage = {
		.operands = "[PATH...]",
		.or_operands = "--undo JOURNAL|--last [DIR...]",
		.does = "Rename what scan finds under PATH (default: .), and "
			"adjust symbolic links there. Nothing is renamed "
			"without --apply, nothing is ever overwritten (a name "
			"that is taken gets a number), and a journal makes it "
			"possible to restore every name.",
		.statuses = "0 if no bad name is left, 1 if some are "
			    "(after a dry run: all), 2 if something failed; with "
			    "--undo 0 if all are restored, or can be, else 2.",
		.options = options,
	};
	char **paths = argv + options_parse(argc, argv, &usage);

	if ((last || undoing.trust_names) && !is_undo) {
		complain(NULL, 0, "--last and --trust-names are for --undo");
		return STATUS_TROUBLE;
	}
	if (renamer->ask && !renamer->apply) {
		complain(NULL, 0, "--interactive needs --apply");
		return STATUS_TROUBLE;
	}
	/*
	 * A journal that would grow too large must fail, not kill; and who no
	 * longer reads what was renamed must still be told of the journal.
	 */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	interrupt_catch();
	undoing.apply = !dry_run;
	undoing.quiet = renamer->quiet;
	undoing.output = renamer->output;
	if (is_undo)
		return run_undo(&undoing, last, paths);
	if (1 < (fix.plan_path && !strcmp(fix.plan_path, "-")) +
			(list && !strcmp(list, "-")) + renamer->ask) {
		complain(NULL, 0, "standard input cannot be a plan, a list "
				  "of paths and answers at once");
		return STATUS_TROUBLE;
	}
	if (fix.plan_path) {
		fix.plan = plan_read(fix.plan_path);
		if (!fix.plan)
			return STATUS_TROUBLE;
		fix.links.all = true;
		/* the directories of a plan may have become links since it was made */
		walk.straight = !*paths && !list;
	}
	paths = operands_get(paths, list, fix.plan ? plan_root(fix.plan) : ".");
	if (!paths)
		return STATUS_TROUBLE;
	if (renamer->apply && !undoing.no_lock &&
	    !lock_trees((const char *const *)paths, options_count(paths)))
		return STATUS_TROUBLE;
	if (fix.from.kind == GUESS_NONE && fix.rest == FIX_LEAVE)
		fix.guess = true;
	if (!fix.sure_given)
		fix.sure = fix.guessed ? GUESS_POSSIBLE : GUESS_LIKELY;
	fix.user.no_guess = !fix.guess;
	/* names that are UTF-8 are pointed to by targets that are */
	fix.links.all |= rules_any(&fix.user.rules);
	fix.hint.options = (struct hint_options){
		.rules = &fix.user.rules, .walk = &walk,
		.app_data = renamer->app_data, .shorten = renamer->shorten };
	renamer->may_wait = fix.plan || fix.user.rules.normal != NORMAL_ANY;
	return run(&fix, &walk, list, paths);
}
