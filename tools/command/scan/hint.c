// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The commands that scan and fix suggest after their output. scan/scan.c, scan/summary.c
 * and fix call it.
 */
#include "scan/hint.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "walk/filter.h"

/* bytes of paths that are repeated; more are not worth a line */
#define HINT_PATHS 2000

void hint_note(struct hint *hint, const struct guess *guess)
{
	if (guess->kind != GUESS_CHARSET)
		return;
	if (!hint->charset)
		hint->charset = guess->charset;
	hint->mixed |= !guess_is_family(hint->charset, guess->charset);
}

void hint_count(struct hint *hint, const struct guess *guess)
{
	if (guess->sure >= GUESS_LIKELY)
		hint->likely++;
	else if (guess->kind == GUESS_CHARSET)
		hint->possible++;
	hint->undecided += guess->undecided;
}

/* Add the paths for a shell, or "PATH..." when they would be too long to read. */
static void add_paths(struct text *line, const char *list, char *const *paths)
{
	size_t begin = line->len;

	if (list && !strcmp(list, "-")) {
		/* what was read there is not there again */
		text_puts(line, "PATH...");
		return;
	}
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

void hint_add_options(const struct hint_options *options, const struct walk_dir *dir,
		      struct text *line)
{
	extra_options(options->extra, line);
	if (options->app_data)
		text_puts(line, "--app-data ");
	if (options->shorten)
		text_puts(line, "--shorten ");
	walk_options(options->walk, dir, line);
}

void hint_none_sure(unsigned long long left)
{
	if (left)
		fprintf(stderr, "utf8val: no reliable guess for the %llu left", left);
	else
		fputs("utf8val: no guess is reliable enough to rename", stderr);
	fputs(". If you know the charset, run: utf8val fix --from CHARSET PATH\n", stderr);
}

void hint_print(const struct hint *hint, const char *list, char *const *paths)
{
	bool is_one = !hint->mixed && !hint->undecided && hint->likely >= hint->possible;
	text_auto line = { 0 };

	if (!hint->likely && !hint->possible)
		return;
	if (!hint->likely && !hint->mixed) {
		hint_none_sure(hint->beside_sure ? hint->possible : 0);
		return;
	}
	if (!hint->possible)
		text_printf(&line, "utf8val: next, to preview %llu of the "
			    "renames (--apply renames): utf8val fix ", hint->likely);
	else if (is_one)
		text_printf(&line, "utf8val: next, if that is what they are: "
			    "utf8val fix --guessed %s ", hint->charset);
	else
		text_puts(&line, "utf8val: next, to list the guesses by "
			  "directory: utf8val scan --summary ");
	/* which extra checks fail is never in doubt, nor part of a summary */
	if (!hint->possible || is_one)
		hint_add_options(&hint->options, NULL, &line);
	else
		walk_options(hint->options.walk, NULL, &line);
	add_paths(&line, list, paths);
	text_puts(&line, "\n");
	fwrite(line.bytes, 1, line.len, stderr);
}
