// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The command that a scan or a fix suggests when guesses are not sure. */
#include "scan/hint.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* bytes of paths that are repeated; more are not worth a line */
#define HINT_PATHS 2000

void hint_count(struct hint *hint, const struct guess *guess)
{
	if (guess->sure >= GUESS_LIKELY) {
		atomic_fetch_add_explicit(&hint->likely, 1,
					  memory_order_relaxed);
		return;
	}
	hint->possible++;
	if (guess->kind != GUESS_CHARSET)
		return;
	for (unsigned int i = 0; i < HINT_CHARSETS; i++) {
		if (!hint->charsets[i].names)
			memcpy(hint->charsets[i].charset, guess->charset,
			       CHARSET_SIZE);
		if (strcmp(hint->charsets[i].charset, guess->charset) != 0)
			continue;
		hint->charsets[i].names++;
		break;
	}
}

/* The paths, for a shell; only a word for them when they are too long to read. */
static void add_paths(struct text *line, const char *list, char *const *paths)
{
	size_t begin = line->len;

	if (list) {
		text_puts(line, "--files0-from=");
		text_shell(line, list);
		return;
	}
	for (char *const *path = paths; *path; path++) {
		if (**path == '-') {
			text_puts(line, "-- ");
			break;
		}
	}
	for (const char *space = ""; *paths; paths++, space = " ") {
		text_puts(line, space);
		text_shell(line, *paths);
		if (line->len - begin > HINT_PATHS) {
			line->len = begin;
			text_puts(line, "PATH...");
			return;
		}
	}
}

void hint_print(const struct hint *hint, const char *list, char *const *paths)
{
	struct text line = { 0 };
	unsigned int most = 0;

	for (unsigned int i = 1; i < HINT_CHARSETS; i++) {
		if (hint->charsets[i].names > hint->charsets[most].names)
			most = i;
	}
	if (hint->likely) {
		text_printf(&line, "utf8val: next, to see %llu of them renamed "
			    "(--apply does it): utf8val fix ",
			    (unsigned long long)hint->likely);
	} else if (hint->charsets[most].names) {
		text_printf(&line, "utf8val: next, if that is what they are: "
			    "utf8val fix --from %s ",
			    hint->charsets[most].charset);
	} else {
		return;
	}
	rules_options(hint->rules, &line);
	add_paths(&line, list, paths);
	text_puts(&line, "\n");
	fwrite(line.bytes, 1, line.len, stderr);
	text_free(&line);
}
