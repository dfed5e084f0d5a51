// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val fix: rename what a scan finds. */
#include <argp.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bad.h"
#include "command.h"
#include "options.h"
#include "progress.h"
#include "rename.h"
#include "undo.h"
#include "utf8val.h"

struct fix {
	struct bad_user user;	/* first: walk.data points here */
	struct progress progress;
	struct renamer renamer;
	struct guess from;	/* --from; GUESS_NONE: not given */
	bool guess;
	enum guess_sure sure;	/* guesses from here on are acted on */
	enum { LEAVE, REPLACE, ESCAPE } rest;

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
		wrong.want_len = to.len;
		text_add(&to, "", 1);
		wrong.want = to.bytes;
	}
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
static size_t resolve_roots(char **dirs, size_t count, char **real,
			    unsigned long long *troubles)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		char *path = realpath(dirs[i], NULL);
		size_t k;

		if (!path) {
			complain_errno(dirs[i], strlen(dirs[i]), errno);
			++*troubles;
			continue;
		}
		for (k = 0; k < kept; k++) {
			size_t len = strlen(real[k]);

			if (!strncmp(path, real[k], len) &&
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
		real[kept++] = path;
	}
	return kept;
}

enum {
	OPT_CROSS = 256, OPT_JSON, OPT_APPLY, OPT_FROM, OPT_GUESS, OPT_SURE,
	OPT_REPLACE, OPT_ESCAPE, OPT_SHORTEN, OPT_JOURNAL, OPT_BATCH, OPT_UNDO,
};

static const struct argp_option options[] = {
	{ "apply", OPT_APPLY, NULL, 0, "Rename; without it, only say what "
	  "would be renamed", 0 },
	{ "from", OPT_FROM, "CHARSET", 0,
	  "The names are in this charset: any that iconv knows, CESU-8, or "
	  "MUTF-8", 0 },
	{ "guess", OPT_GUESS, NULL, 0,
	  "Go by the guess that scan shows (default without --from, --replace "
	  "and --escape)", 0 },
	{ "sure", OPT_SURE, "LEVEL", 0,
	  "Act on guesses that are at least possible, likely (default) or "
	  "certain", 0 },
	{ "replace", OPT_REPLACE, NULL, 0,
	  "Replace by U+FFFD what is ill-formed (and was not converted)", 0 },
	{ "escape", OPT_ESCAPE, NULL, 0,
	  "Write as %XX what is ill-formed (and was not converted)", 0 },
	{ "shorten", OPT_SHORTEN, NULL, 0,
	  "Cut names that would become too long", 0 },
	{ "journal", OPT_JOURNAL, "FILE", 0,
	  "Keep the undo journal in this new file (default: one in "
	  "$XDG_STATE_HOME/utf8val)", 0 },
	{ "batch", OPT_BATCH, "N", 0,
	  "Names renamed between synchronisations of the journal (default: "
	  "1000)", 0 },
	{ "undo", OPT_UNDO, "FILE", 0,
	  "Give back the names that this journal holds; with DIR, in that tree "
	  "instead of where it was; with --dry-run, only say so", 1 },
	{ "dry-run", 'n', NULL, 0, "Rename nothing", 1 },
	{ "null", '0', NULL, 0,
	  "Old paths and new names as they are, each ended by NUL", 2 },
	{ "json", OPT_JSON, NULL, 0, "One JSON object a line", 2 },
	{ "quiet", 'q', NULL, 0, "No output but errors", 2 },
	{ "cross-devices", OPT_CROSS, NULL, 0, "Enter other file systems", 2 },
	{ "threads", 'j', "N", 0,
	  "Directories read at a time (default: two per processor)", 2 },
	{ 0 },
};

struct arguments {
	struct fix fix;
	struct walk walk;
	bool dry_run;
	const char *undo;
	char **dirs;
	size_t dir_count;
};

static void parse_from(struct argp_state *state, struct fix *fix,
		       const char *arg)
{
	struct guesser *guesser = guesser_new();

	if (!strcasecmp(arg, "CESU-8")) {
		fix->from.kind = GUESS_CESU8;
	} else if (!strcasecmp(arg, "MUTF-8")) {
		fix->from.kind = GUESS_MUTF8;
	} else if (guess_knows(guesser, arg)) {
		fix->from = guess_charset(arg, GUESS_CERTAIN);
	} else {
		argp_error(state, "iconv knows no such charset; iconv -l lists "
				  "them");
	}
	guesser_free(guesser);
}

static void parse_sure(struct argp_state *state, struct fix *fix,
		       const char *arg)
{
	for (enum guess_sure sure = GUESS_POSSIBLE; sure <= GUESS_CERTAIN;
	     sure++) {
		if (!strcmp(arg, guess_sure_name(sure))) {
			fix->sure = sure;
			fix->guess = true;
			return;
		}
	}
	argp_error(state, "--sure takes possible, likely or certain");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;
	struct fix *fix = &args->fix;

	switch (key) {
	case OPT_APPLY:
		fix->renamer.apply = true;
		break;
	case 'n':
		args->dry_run = true;
		break;
	case OPT_FROM:
		parse_from(state, fix, arg);
		break;
	case OPT_GUESS:
		fix->guess = true;
		break;
	case OPT_SURE:
		parse_sure(state, fix, arg);
		break;
	case OPT_REPLACE:
		fix->rest = REPLACE;
		break;
	case OPT_ESCAPE:
		fix->rest = ESCAPE;
		break;
	case OPT_SHORTEN:
		fix->renamer.shorten = true;
		break;
	case OPT_JOURNAL:
		fix->renamer.journal = arg;
		break;
	case OPT_BATCH:
		fix->renamer.batch = option_number(state, arg, 1, 1000000);
		break;
	case OPT_UNDO:
		args->undo = arg;
		break;
	case '0':
		fix->renamer.output = OUTPUT_NULL;
		break;
	case OPT_JSON:
		fix->renamer.output = OUTPUT_JSON;
		break;
	case 'q':
		fix->renamer.quiet = true;
		break;
	case OPT_CROSS:
		args->walk.cross = true;
		break;
	case 'j':
		args->walk.threads = option_number(state, arg, 1, 1024);
		break;
	case ARGP_KEY_ARGS:
		args->dirs = state->argv + state->next;
		args->dir_count = (size_t)(state->argc - state->next);
		break;
	case ARGP_KEY_END:
		if (args->dry_run && fix->renamer.apply)
			argp_error(state, "--apply or --dry-run, not both");
		if (args->undo && args->dir_count > 1)
			argp_error(state, "--undo takes one DIR at most");
		if (fix->from.kind == GUESS_NONE && fix->rest == LEAVE)
			fix->guess = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[DIR...]\n--undo FILE [DIR]",
	.doc = "Rename what scan finds under DIR (default: .). Nothing is "
	       "renamed without --apply, nothing is ever overwritten (a name "
	       "that is taken gets a number), and a journal makes it possible "
	       "to give every name back."
	       "\vExit status: 0 when no ill-formed name is left, 1 when some "
	       "are (after a dry run: all), 2 when something failed.",
};

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

int fix_main(int argc, char **argv)
{
	char here[] = ".";
	char *default_dir = here;
	struct arguments args = {
		.fix = { .user.found = found, .sure = GUESS_LIKELY,
			 .renamer.batch = 1000,
			 .lock = PTHREAD_MUTEX_INITIALIZER },
		.walk = { .entry = bad_entry, .leave = bad_leave,
			  .thread_end = bad_thread_end, .tick = tick },
	};
	struct fix *fix = &args.fix;
	struct renamer *renamer = &fix->renamer;
	char **real;

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	/* a journal that would grow too large must fail, not kill */
	signal(SIGXFSZ, SIG_IGN);
	interrupt_catch();
	if (args.undo)
		return undo(args.undo, args.dir_count ? args.dirs[0] : NULL,
			    !args.dry_run, renamer->quiet);
	if (!args.dir_count) {
		args.dirs = &default_dir;
		args.dir_count = 1;
	}
	real = must(calloc(args.dir_count, sizeof(*real)));
	args.dir_count = resolve_roots(args.dirs, args.dir_count, real,
				       &renamer->troubles);
	args.walk.data = fix;
	fix->user.no_guess = !fix->guess;
	progress_begin(&fix->progress);
	walk_run(&args.walk, args.dirs, args.dir_count);
	progress_end(&fix->progress, &args.walk, false);
	renamer->troubles += args.walk.troubles;
	if (!interrupted)
		rename_all(renamer, fix->wrongs, fix->count, real);
	sum_up(fix);
	if (renamer->troubles || interrupted)
		return STATUS_TROUBLE;
	if (renamer->left || (renamer->renamed && !renamer->apply))
		return STATUS_BAD;
	return STATUS_GOOD;
}
