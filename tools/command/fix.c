// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val fix: rename what a scan finds. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bad.h"
#include "command.h"
#include "options.h"
#include "progress.h"
#include "rename.h"
#include "undo.h"
#include "utf8val.h"

enum { LEAVE, REPLACE, ESCAPE };

struct fix {
	struct bad_user user;	/* first: walk.data points here */
	struct progress progress;
	struct renamer renamer;
	struct guess from;	/* --from; GUESS_NONE: not given */
	bool guess;
	enum guess_sure sure;	/* guesses from here on are acted on */
	unsigned int rest;	/* what no charset was found for */

	pthread_mutex_t lock;
	struct wrong *wrongs;
	size_t count, room;
};

/* What cannot be read is written as %XX; a '%' that is there stays. */
static void escape(const uint8_t *name, size_t len, struct text *to)
{
	while (len) {
		struct utf8val_result r = utf8val_check(name, len);

		text_add(to, name, r.valid);
		for (size_t i = r.valid; i < r.valid + r.bad; i++)
			text_printf(to, "%%%02X", name[i]);
		name += r.valid + r.bad;
		len -= r.valid + r.bad;
	}
}

static void replace(const void *name, size_t len, struct text *to)
{
	size_t need = utf8val_replace(NULL, 0, name, len);
	char *out = must(malloc(need));

	utf8val_replace(out, need, name, len);
	text_add(to, out, need);
	free(out);
}

/* What is a name to be called? Nothing in to: it is left as it is. */
static void choose(const struct fix *fix, struct guesser *guesser,
		   const struct bad_name *bad, struct wrong *wrong,
		   struct text *to)
{
	if (fix->from.kind != GUESS_NONE) {
		wrong->how = guess_label(&fix->from);
		if (guess_convert(guesser, &fix->from, bad->name, bad->len, to))
			return;
		wrong->how = "it is no name in the charset of --from";
	}
	if (fix->guess) {
		wrong->sure = guess_sure_name(bad->guess.sure);
		wrong->how = guess_label(&bad->guess);
		if (bad->guess.kind != GUESS_NONE &&
		    bad->guess.sure >= fix->sure &&
		    guess_convert(guesser, &bad->guess, bad->name, bad->len,
				  to)) {
			/* the guess's own label ends with the guess */
			if (bad->guess.kind == GUESS_CHARSET)
				wrong->how = must(strdup(wrong->how));
			return;
		}
		wrong->how = "no guess at what it is was sure enough; see "
			     "--from, --sure, --replace, --escape";
		wrong->sure = NULL;
	}
	if (fix->rest == REPLACE) {
		wrong->how = "replaced";
		replace(bad->name, bad->len, to);
	} else if (fix->rest == ESCAPE) {
		wrong->how = "escaped";
		escape((const uint8_t *)bad->name, bad->len, to);
	}
}

static void found(struct walk_visit *visit, struct guesser *guesser,
		  const struct bad_name *bad)
{
	struct fix *fix = visit->walk->data;
	struct wrong wrong = { 0 };
	struct text to = { 0 };

	choose(fix, guesser, bad, &wrong, &to);
	wrong.dir = walk_ref(visit->dir);
	wrong.old = must(strndup(bad->name, bad->len));
	wrong.old_len = bad->len;
	if (to.len) {
		/* there may be millions: no byte more than it takes */
		wrong.want = must(strndup(to.bytes, to.len));
		wrong.want_len = to.len;
	}
	text_free(&to);
	atomic_fetch_add(&fix->progress.bad, 1);
	pthread_mutex_lock(&fix->lock);
	if (fix->count == fix->room) {
		fix->room = fix->room ? 2 * fix->room : 64;
		fix->wrongs = must(reallocarray(fix->wrongs, fix->room,
						sizeof(*fix->wrongs)));
	}
	fix->wrongs[fix->count++] = wrong;
	pthread_mutex_unlock(&fix->lock);
}

static void tick(struct walk *walk)
{
	struct fix *fix = walk->data;

	progress_tick(&fix->progress, walk);
}

/*
 * The roots' absolute paths, for the journal. A root inside another one would
 * have its names found twice: it is dropped.
 */
static size_t resolve_roots(char **dirs, struct rename_root *roots,
			    unsigned long long *troubles)
{
	size_t kept = 0;

	for (size_t i = 0; dirs[i]; i++) {
		char *path = realpath(dirs[i], NULL);
		size_t k;

		if (!path) {
			complain_errno(dirs[i], strlen(dirs[i]), errno);
			++*troubles;
			continue;
		}
		for (k = 0; k < kept; k++) {
			size_t len = strlen(roots[k].path);

			if (!strncmp(path, roots[k].path, len) &&
			    (!path[len] || path[len] == '/' || len == 1))
				break;
		}
		if (k < kept) {
			complain(dirs[i], strlen(dirs[i]),
				 "inside another one that was given; once is "
				 "enough");
			free(path);
			continue;
		}
		dirs[kept] = dirs[i];
		roots[kept++].path = path;
	}
	return kept;
}

static const char *take_from(void *data, const char *charset)
{
	struct guesser *guesser = guesser_new();
	const char *wrong = NULL;
	struct fix *fix = data;

	if (!strcasecmp(charset, "CESU-8"))
		fix->from.kind = GUESS_CESU8;
	else if (!strcasecmp(charset, "MUTF-8"))
		fix->from.kind = GUESS_MUTF8;
	else if (guess_knows(guesser, charset))
		fix->from = guess_charset(charset, GUESS_CERTAIN);
	else
		wrong = "iconv knows no such charset; iconv -l lists them";
	guesser_free(guesser);
	return wrong;
}

static const char *take_sure(void *data, const char *level)
{
	struct fix *fix = data;

	for (enum guess_sure sure = GUESS_POSSIBLE; sure <= GUESS_CERTAIN;
	     sure++) {
		if (!strcmp(level, guess_sure_name(sure))) {
			fix->sure = sure;
			fix->guess = true;
			return NULL;
		}
	}
	return "there is possible, likely and certain";
}

static void sum_up(const struct fix *fix)
{
	const struct renamer *renamer = &fix->renamer;
	struct text line = { 0 };

	fflush(stdout);
	text_printf(&line, "utf8val: %llu %s, %llu left as they are, %llu "
		    "failed\n", renamer->renamed,
		    renamer->apply ? "renamed" : "to rename (--apply does it)",
		    renamer->left, renamer->troubles);
	if (renamer->journal_path) {
		text_puts(&line, "utf8val: to undo it: utf8val fix --undo ");
		text_escape(&line, renamer->journal_path,
			    strlen(renamer->journal_path));
		text_puts(&line, "\n");
	}
	fwrite(line.bytes, 1, line.len, stderr);
	text_free(&line);
}

/* The subcommand after its options; an exit status. */
static int run(struct fix *fix, struct walk *walk, char **dirs)
{
	struct renamer *renamer = &fix->renamer;
	size_t count = options_count(dirs);
	struct rename_root *roots = must(calloc(count, sizeof(*roots)));

	walk->root_fds = must(calloc(count, sizeof(*walk->root_fds)));
	count = resolve_roots(dirs, roots, &renamer->troubles);
	progress_begin(&fix->progress);
	walk_run(walk, dirs, count);
	progress_end(&fix->progress, walk, false);
	renamer->troubles += walk->troubles;
	for (size_t i = 0; i < count; i++)
		roots[i].fd = walk->root_fds[i];
	if (!interrupted)
		rename_all(renamer, fix->wrongs, fix->count, roots);
	sum_up(fix);
	if (renamer->troubles || interrupted)
		return STATUS_TROUBLE;
	if (renamer->left || (renamer->renamed && !renamer->apply))
		return STATUS_BAD;
	return STATUS_GOOD;
}

int fix_main(int argc, char **argv)
{
	char here[] = ".";
	char *default_dirs[2] = { here, NULL };
	const char *journal = NULL;
	bool dry_run = false;
	struct fix fix = { .user.found = found, .sure = GUESS_LIKELY,
			   .renamer.batch = 1000,
			   .lock = PTHREAD_MUTEX_INITIALIZER };
	struct walk walk = { .entry = bad_entry, .leave = bad_leave,
			     .thread_end = bad_thread_end, .tick = tick,
			     .data = &fix };
	struct renamer *renamer = &fix.renamer;
	const struct command_option options[] = {
		{ 0, "apply", NULL,
		  "Rename; without it, only say what would be renamed",
		  .flag = &renamer->apply },
		{ 0, "batch", "N",
		  "Names renamed between synchronisations of the journal "
		  "(default: 1000)",
		  .number = &renamer->batch, .most = 1000000 },
		{ 0, "escape", NULL,
		  "Write as %XX what is ill-formed (and was not converted)",
		  .number = &fix.rest, .value = ESCAPE },
		{ 0, "from", "CHARSET",
		  "The names are in this charset: any that iconv knows, "
		  "CESU-8, or MUTF-8",
		  .take = take_from, .data = &fix },
		{ 0, "guess", NULL,
		  "Go by the guess that scan shows (default without --from, "
		  "--replace and --escape)",
		  .flag = &fix.guess },
		{ 0, "journal", "FILE",
		  "Keep the undo journal in this new file (default: one in "
		  "$XDG_STATE_HOME/utf8val)",
		  .string = &renamer->journal },
		{ 0, "replace", NULL,
		  "Replace by U+FFFD what is ill-formed (and was not "
		  "converted)",
		  .number = &fix.rest, .value = REPLACE },
		{ 0, "shorten", NULL, "Cut names that would become too long",
		  .flag = &renamer->shorten },
		{ 0, "sure", "LEVEL",
		  "Act on guesses that are at least possible, likely "
		  "(default) or certain",
		  .take = take_sure, .data = &fix },
		{ 'n', "dry-run", NULL, "Rename nothing", .flag = &dry_run },
		{ 0, "undo", "FILE",
		  "Give back the names that this journal holds; with DIR, in "
		  "that tree instead of where it was; with --dry-run, only "
		  "say so",
		  .string = &journal },
		{ '0', "null", NULL,
		  "Old paths and new names as they are, each ended by NUL",
		  .number = &renamer->output, .value = OUTPUT_NULL },
		{ 0, "cross-devices", NULL, "Enter other file systems",
		  .flag = &walk.cross },
		{ 0, "json", NULL, "One JSON object a line",
		  .number = &renamer->output, .value = OUTPUT_JSON },
		{ 'j', "threads", "N",
		  "Directories read at a time (default: two per processor)",
		  .number = &walk.threads, .most = WALK_THREADS },
		{ 'q', "quiet", NULL, "No output but errors",
		  .flag = &renamer->quiet },
		{ 0 },
	};
	const struct usage usage = {
		.operands = "[DIR...]",
		.or_operands = "--undo FILE [DIR]",
		.does = "Rename what scan finds under DIR (default: .). Nothing "
			"is renamed without --apply, nothing is ever "
			"overwritten (a name that is taken gets a number), and "
			"a journal makes it possible to give every name back.",
		.statuses = "0 when no ill-formed name is left, 1 when some are "
			    "(after a dry run: all), 2 when something failed.",
		.options = options,
	};
	char **dirs = argv + options_parse(argc, argv, &usage);

	if (dry_run && renamer->apply) {
		complain(NULL, 0, "--apply or --dry-run, not both");
		return STATUS_TROUBLE;
	}
	if (journal && options_count(dirs) > 1) {
		complain(NULL, 0, "--undo takes one DIR at most");
		return STATUS_TROUBLE;
	}
	/*
	 * A journal that would grow too large must fail, not kill; and who no
	 * longer reads what was renamed must still be told of the journal.
	 */
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	interrupt_catch();
	if (journal)
		return undo(journal, *dirs, !dry_run, renamer->quiet);
	if (fix.from.kind == GUESS_NONE && fix.rest == LEAVE)
		fix.guess = true;
	fix.user.no_guess = !fix.guess;
	return run(&fix, &walk, *dirs ? dirs : default_dirs);
}
