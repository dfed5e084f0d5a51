// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The output of fix for each name. fix/rename_run.c and fix/link.c call it. */
#include "fix/rename_print.h"

#include <string.h>

#include "base/text.h"
#include "guess/guess.h"
#include "utf8val.h"

/* The change of a name or of a link, to be printed. */
struct change {
	const struct rename_request *request;	/* of a name; NULL: this is a link */
	const char *from;	/* the name, or the target of the link */
	const char *to;		/* NULL: it is left as it is */
	const char *how;	/* it was found, for a name; or why it is left */
};

static void print_text(struct text *line, const struct text *path,
		       const struct change *change)
{
	const struct rename_request *request = change->request;
	const struct colours *c = colours();

	/* printf() would take longer than all else here */
	text_puts(line, c->path);
	text_escape(line, path->bytes, path->len);
	text_puts(line, c->off);
	if (!request) {
		text_puts(line, ": points to ");
		text_escape(line, change->from, strlen(change->from));
	}
	if (!change->to) {
		text_puts(line, ": left as it is: ");
		text_puts(line, change->how);
		text_puts(line, "\n");
		return;
	}
	text_puts(line, " -> ");
	text_puts(line, c->good);
	text_escape(line, change->to, strlen(change->to));
	text_puts(line, c->off);
	if (request) {
		text_puts(line, " (");
		text_puts(line, change->how);
		if (request->sure != REQUEST_NO_GUESS) {
			text_puts(line, ", ");
			text_puts(line, guess_sure_name(request->sure));
		}
		if (request->number > 1) {
			text_puts(line, ", numbered: there is ");
			text_escape(line, request->want, strlen(request->want));
		}
		text_puts(line, ")");
	}
	text_puts(line, "\n");
}

static void print_json(struct text *line, const struct text *path,
		       const struct change *change, bool apply)
{
	const struct rename_request *request = change->request;

	text_json(line, "{\"path\":", path->bytes, path->len);
	text_json(line, request ? ",\"name\":" : ",\"target\":", change->from,
		  strlen(change->from));
	if (change->to)
		text_json(line, ",\"to\":", change->to, strlen(change->to));
	else
		text_json_string(line, ",\"left\":", change->how, strlen(change->how));
	if (change->to && request) {
		text_json_string(line, ",\"as\":", change->how, strlen(change->how));
		if (request->sure != REQUEST_NO_GUESS)
			text_printf(line, ",\"sure\":\"%s\"",
				    guess_sure_name(request->sure));
	}
	text_printf(line, ",\"done\":%s}\n", change->to && apply ? "true" : "false");
}

/* The path as it was, the new name if it gets one, and how that was found or why not. */
static void print_tabs(struct text *line, const struct text *path,
		       const struct change *change)
{
	const struct rename_request *request = change->request;

	/* in a plan, links follow by themselves */
	if (!request)
		return;
	text_column(line, path->bytes, path->len);
	text_puts(line, "\t");
	if (change->to)
		text_escape(line, change->to, strlen(change->to));
	text_printf(line, "\t%s", change->how);
	if (change->to && request->sure != REQUEST_NO_GUESS)
		text_printf(line, ", %s", guess_sure_name(request->sure));
	text_puts(line, "\n");
}

static void print(const struct renamer *renamer, const struct walk_dir *dir,
		  const char *name, const struct change *change)
{
	text_auto path = { 0 }, line = { 0 };

	walk_path(&path, dir, name, strlen(name));
	if (renamer->output == OUTPUT_TEXT) {
		print_text(&line, &path, change);
	} else if (renamer->output == OUTPUT_JSON) {
		print_json(&line, &path, change, renamer->apply);
	} else if (renamer->output == OUTPUT_TABS) {
		print_tabs(&line, &path, change);
	} else if (change->request && change->to) {
		/* pairs: the path as it was, the new name */
		text_add(&line, path.bytes, path.len);
		text_add(&line, "", 1);
		text_add(&line, change->to, strlen(change->to) + 1);
	}
	text_emit(&line);
}

void rename_print(const struct renamer *renamer,
		  const struct rename_request *request, bool left)
{
	if (!renamer->quiet)
		print(renamer, request->dir, request->old, &(struct change){
			.request = request, .from = request->old,
			.to = left ? NULL : request->name, .how = request->how });
}

void rename_print_link(const struct renamer *renamer, const struct walk_dir *dir,
		       const char *name, const char *target, const char *want,
		       const char *why)
{
	/* well-formed ones that lead where they did are no concern of anybody's */
	if (renamer->quiet || (why && !want && utf8val_valid(target, strlen(target))))
		return;
	print(renamer, dir, name, &(struct change){
		.from = target, .to = why ? NULL : want, .how = why });
}
