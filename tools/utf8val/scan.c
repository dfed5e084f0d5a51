// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* utf8val scan: the names that an enforcing mount would refuse. */
#include <argp.h>
#include <string.h>

#include "bad.h"
#include "command.h"
#include "options.h"
#include "progress.h"
#include "utf8val.h"

struct scan {
	struct bad_user user;	/* first: walk.data points here */
	struct progress progress;
	enum output output;
	bool quiet;
};

/* "PATH: byte 3: stray tail A9: ISO-8859-1 (likely): NAME" */
static void describe(struct text *line, struct walk_visit *visit,
		     struct guesser *guesser, const struct bad_name *bad)
{
	const struct colours *c = colours();
	const struct scan *scan = visit->walk->data;
	struct utf8val_result r = utf8val_check(bad->name, bad->len);
	struct text path = { 0 }, good = { 0 };

	walk_path(&path, visit->dir, bad->name, bad->len);
	text_puts(line, c->path);
	text_escape(line, path.bytes, path.len);
	text_printf(line, "%s: byte %zu: %s%s%s ", c->off, r.valid, c->bad,
		    utf8val_reason_name(r.reason), c->off);
	text_hex(line, bad->name + r.valid, r.bad, ' ');
	if (!scan->user.no_guess) {
		text_printf(line, ": %s", guess_label(&bad->guess));
		if (bad->guess.kind != GUESS_NONE)
			text_printf(line, " (%s)",
				    guess_sure_name(bad->guess.sure));
		if (guess_convert(guesser, &bad->guess, bad->name, bad->len,
				  &good)) {
			text_printf(line, ": %s", c->good);
			text_escape(line, good.bytes, good.len);
			text_puts(line, c->off);
		}
	}
	text_puts(line, "\n");
	text_free(&path);
	text_free(&good);
}

static void describe_json(struct text *line, struct walk_visit *visit,
			  struct guesser *guesser, const struct bad_name *bad)
{
	const struct scan *scan = visit->walk->data;
	struct utf8val_result r = utf8val_check(bad->name, bad->len);
	struct text path = { 0 }, good = { 0 };

	walk_path(&path, visit->dir, bad->name, bad->len);
	text_puts(line, "{\"path\":");
	text_json(line, path.bytes, path.len);
	text_puts(line, ",\"name\":");
	text_json(line, bad->name, bad->len);
	text_printf(line, ",\"offset\":%zu,\"length\":%u,\"reason\":\"%s\"",
		    r.valid, r.bad, utf8val_reason_name(r.reason));
	if (!scan->user.no_guess && bad->guess.kind != GUESS_NONE) {
		const char *label = guess_label(&bad->guess);

		text_puts(line, ",\"guess\":{\"as\":");
		text_json_string(line, label, strlen(label));
		text_printf(line, ",\"sure\":\"%s\"",
			    guess_sure_name(bad->guess.sure));
		if (guess_convert(guesser, &bad->guess, bad->name, bad->len,
				  &good)) {
			text_puts(line, ",\"name\":");
			text_json_string(line, good.bytes, good.len);
		}
		text_puts(line, "}");
	}
	text_puts(line, "}\n");
	text_free(&path);
	text_free(&good);
}

static void found(struct walk_visit *visit, struct guesser *guesser,
		  const struct bad_name *bad)
{
	struct scan *scan = visit->walk->data;
	struct text line = { 0 };

	atomic_fetch_add(&scan->progress.bad, 1);
	if (scan->quiet)
		return;
	switch (scan->output) {
	case OUTPUT_TEXT:
		describe(&line, visit, guesser, bad);
		break;
	case OUTPUT_JSON:
		describe_json(&line, visit, guesser, bad);
		break;
	case OUTPUT_NULL:
		walk_path(&line, visit->dir, bad->name, bad->len);
		text_add(&line, "", 1);
		break;
	}
	progress_emit(&scan->progress, &line);
	text_free(&line);
}

static void tick(struct walk *walk)
{
	struct scan *scan = walk->data;

	progress_tick(&scan->progress, walk);
}

enum { OPT_CROSS = 256, OPT_JSON, OPT_NO_GUESS };

static const struct argp_option options[] = {
	{ "null", '0', NULL, 0, "Paths only, as they are, each ended by NUL",
	  0 },
	{ "json", OPT_JSON, NULL, 0, "One JSON object a line", 0 },
	{ "quiet", 'q', NULL, 0, "No output but errors; only the exit status",
	  0 },
	{ "follow", 'L', NULL, 0, "Follow symbolic links to directories", 0 },
	{ "cross-devices", OPT_CROSS, NULL, 0, "Enter other file systems", 0 },
	{ "threads", 'j', "N", 0,
	  "Directories read at a time (default: two per processor)", 0 },
	{ "no-guess", OPT_NO_GUESS, NULL, 0,
	  "Do not say what the names probably are", 0 },
	{ 0 },
};

struct arguments {
	struct scan scan;
	struct walk walk;
	char **dirs;
	size_t dir_count;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case '0':
		args->scan.output = OUTPUT_NULL;
		args->scan.user.no_guess = true;
		break;
	case OPT_JSON:
		args->scan.output = OUTPUT_JSON;
		break;
	case 'q':
		args->scan.quiet = true;
		args->scan.user.no_guess = true;
		break;
	case 'L':
		args->walk.follow = true;
		break;
	case OPT_CROSS:
		args->walk.cross = true;
		break;
	case OPT_NO_GUESS:
		args->scan.user.no_guess = true;
		break;
	case 'j':
		args->walk.threads = option_number(state, arg, 1, 1024);
		break;
	case ARGP_KEY_ARGS:
		args->dirs = state->argv + state->next;
		args->dir_count = (size_t)(state->argc - state->next);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[DIR...]",
	.doc = "List every name under DIR (default: .) that is not UTF-8, and "
	       "that a mount with utf8val=enforce would therefore refuse: its "
	       "path, where and why it is ill-formed, what it probably is."
	       "\vExit status: 0 when every name is UTF-8, 1 when one is not, "
	       "2 when something could not be read.",
};

int scan_main(int argc, char **argv)
{
	char here[] = ".";
	char *default_dir = here;
	struct arguments args = {
		.scan = { .user = { .found = found } },
		.walk = { .entry = bad_entry, .leave = bad_leave,
			  .thread_end = bad_thread_end, .tick = tick },
		.dirs = &default_dir,
		.dir_count = 1,
	};

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	args.walk.data = &args.scan;
	interrupt_catch();
	progress_begin(&args.scan.progress);
	walk_run(&args.walk, args.dirs, args.dir_count);
	progress_end(&args.scan.progress, &args.walk, !args.scan.quiet);
	if (args.walk.troubles || interrupted)
		return STATUS_TROUBLE;
	return args.scan.progress.bad ? STATUS_BAD : STATUS_GOOD;
}
