// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What a fix says of each name. */
#include "fix/rename_print.h"

#include <string.h>

#include "base/json.h"
#include "fix/link.h"
#include "guess/label.h"
#include "utf8val.h"

static void print_text(struct text *line, const struct text *path,
		       const struct rename_request *request, bool left)
{
	const struct colours *c = colours();

	text_puts(line, c->path);
	text_escape(line, path->bytes, path->len);
	text_puts(line, c->off);
	/* printf() would take longer than all else here */
	if (left) {
		text_puts(line, ": left as it is: ");
		text_puts(line, request->how);
		text_puts(line, "\n");
		return;
	}
	text_puts(line, " -> ");
	text_puts(line, c->good);
	text_escape(line, request->name, strlen(request->name));
	text_puts(line, c->off);
	text_puts(line, " (");
	text_puts(line, request->how);
	if (request->sure != REQUEST_NO_GUESS) {
		text_puts(line, ", ");
		text_puts(line, guess_sure_name(request->sure));
	}
	if (request->number > 1) {
		text_puts(line, ", numbered: there is ");
		text_escape(line, request->want, strlen(request->want));
	}
	text_puts(line, ")\n");
}

static void print_json(struct text *line, const struct text *path,
		       const struct rename_request *request, bool left, bool done)
{
	text_json(line, "{\"path\":", path->bytes, path->len);
	text_json(line, ",\"name\":", request->old, strlen(request->old));
	if (!left)
		text_json_string(line, ",\"to\":", request->name, strlen(request->name));
	text_json_string(line, left ? ",\"left\":" : ",\"as\":",
			 request->how, strlen(request->how));
	if (!left && request->sure != REQUEST_NO_GUESS)
		text_printf(line, ",\"sure\":\"%s\"", guess_sure_name(request->sure));
	text_printf(line, ",\"done\":%s}\n", done ? "true" : "false");
}

void rename_print(const struct renamer *renamer,
		  const struct rename_request *request, bool left)
{
	text_auto path = { 0 }, line = { 0 };

	if (renamer->quiet)
		return;
	walk_path(&path, request->dir, request->old, strlen(request->old));
	switch (renamer->output) {
	case OUTPUT_TEXT:
		print_text(&line, &path, request, left);
		break;
	case OUTPUT_JSON:
		print_json(&line, &path, request, left, !left && renamer->apply);
		break;
	case OUTPUT_NULL:
		/* pairs: the path as it was, the new name */
		if (left)
			break;
		text_add(&line, path.bytes, path.len);
		text_add(&line, "", 1);
		text_add(&line, request->name, strlen(request->name) + 1);
		break;
	}
	text_emit(&line);
}

static void link_text(struct text *line, const struct text *path,
		      const struct link *link, const char *why)
{
	const struct colours *c = colours();

	text_puts(line, c->path);
	text_escape(line, path->bytes, path->len);
	text_printf(line, "%s: points to ", c->off);
	text_escape(line, link->target, strlen(link->target));
	if (why) {
		text_printf(line, ": left as it is: %s\n", why);
		return;
	}
	text_printf(line, " -> %s", c->good);
	text_escape(line, link->want, strlen(link->want));
	text_printf(line, "%s\n", c->off);
}

static void link_json(struct text *line, const struct text *path,
		      const struct link *link, const char *why, bool done)
{
	text_json(line, "{\"path\":", path->bytes, path->len);
	text_json(line, ",\"target\":", link->target, strlen(link->target));
	if (why)
		text_json_string(line, ",\"left\":", why, strlen(why));
	else
		text_json(line, ",\"to\":", link->want, strlen(link->want));
	text_printf(line, ",\"done\":%s}\n", done ? "true" : "false");
}

void rename_print_link(const struct renamer *renamer, const struct link *link,
		       const char *why)
{
	text_auto path = { 0 }, line = { 0 };

	/* well-formed ones that lead where they did are no concern of anybody's */
	if (renamer->quiet || renamer->output == OUTPUT_NULL ||
	    (why && !link->want && utf8val_valid(link->target, strlen(link->target))))
		return;
	walk_path(&path, link->dir, link->name, strlen(link->name));
	if (renamer->output == OUTPUT_JSON)
		link_json(&line, &path, link, why, !why && renamer->apply);
	else
		link_text(&line, &path, link, why);
	text_emit(&line);
}
