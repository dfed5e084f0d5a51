// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The output for one record of a journal. undo/undo.c and undo/journal_list.c call it. */
#include "undo/record_print.h"

#include <string.h>

#include "base/option.h"
#include "base/text.h"

void record_print(const struct journal_record *record, unsigned int output,
		  bool back, const char *done)
{
	bool link = record->kind == JOURNAL_LINK;
	const char *from = back ? record->new : record->old;
	const char *to = back ? record->old : record->new;
	const char *name = link ? record->name : from;
	text_auto path = { 0 }, line = { 0 };

	walk_path(&path, record->dir, name, strlen(name));
	if (output == OUTPUT_JSON) {
		text_json(&line, "{\"path\":", path.bytes, path.len);
		text_json(&line, link ? ",\"target\":" : ",\"name\":", from, strlen(from));
		text_json(&line, ",\"to\":", to, strlen(to));
		if (done)
			text_printf(&line, ",\"done\":%s", done);
		text_puts(&line, "}\n");
	} else if (output == OUTPUT_NULL && !link) {
		text_add(&line, path.bytes, path.len);
		text_add(&line, "", 1);
		text_add(&line, to, strlen(to) + 1);
	} else if (output == OUTPUT_TEXT) {
		text_escape(&line, path.bytes, path.len);
		if (link) {
			text_puts(&line, ": points to ");
			text_escape(&line, from, strlen(from));
		}
		text_puts(&line, " -> ");
		text_escape(&line, to, strlen(to));
		text_puts(&line, "\n");
	}
	text_emit(&line);
}
