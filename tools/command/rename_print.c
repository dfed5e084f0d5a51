// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What a fix says of each name. */
#include "rename.h"

#include <stdlib.h>
#include <string.h>

static void print_text(struct text *line, const struct text *path,
		       const struct wrong *wrong, bool left)
{
	const struct colours *c = colours();

	text_puts(line, c->path);
	text_escape(line, path->bytes, path->len);
	text_puts(line, c->off);
	if (left) {
		text_printf(line, ": left as it is: %s\n", wrong->how);
		return;
	}
	text_printf(line, " -> %s", c->good);
	text_escape(line, wrong->name, strlen(wrong->name));
	text_printf(line, "%s (%s", c->off, wrong->how);
	if (wrong->sure)
		text_printf(line, ", %s", wrong->sure);
	if (wrong->number > 1) {
		text_puts(line, ", numbered: there is ");
		text_escape(line, wrong->want, wrong->want_len);
	}
	text_puts(line, ")\n");
}

static void print_json(struct text *line, const struct text *path,
		       const struct wrong *wrong, bool left, bool done)
{
	text_puts(line, "{\"path\":");
	text_json(line, path->bytes, path->len);
	text_puts(line, ",\"name\":");
	text_json(line, wrong->old, wrong->old_len);
	if (!left) {
		text_puts(line, ",\"to\":");
		text_json_string(line, wrong->name, strlen(wrong->name));
	}
	text_puts(line, left ? ",\"left\":" : ",\"as\":");
	text_json_string(line, wrong->how, strlen(wrong->how));
	if (!left && wrong->sure)
		text_printf(line, ",\"sure\":\"%s\"", wrong->sure);
	text_printf(line, ",\"done\":%s}\n", done ? "true" : "false");
}

void rename_print(const struct renamer *renamer, const struct wrong *wrong,
		  bool left)
{
	struct text path = { 0 }, line = { 0 };

	if (renamer->quiet)
		return;
	walk_path(&path, wrong->dir, wrong->old, wrong->old_len);
	switch (renamer->output) {
	case OUTPUT_TEXT:
		print_text(&line, &path, wrong, left);
		break;
	case OUTPUT_JSON:
		print_json(&line, &path, wrong, left,
			   !left && renamer->apply);
		break;
	case OUTPUT_NULL:
		/* pairs: the path as it was, the new name */
		if (left)
			break;
		text_add(&line, path.bytes, path.len);
		text_add(&line, "", 1);
		text_add(&line, wrong->name, strlen(wrong->name) + 1);
		break;
	}
	text_emit(&line);
	text_free(&path);
	text_free(&line);
}
