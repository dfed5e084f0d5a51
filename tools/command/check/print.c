// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The output of check for one file: text, JSON or columns. check/check.c calls it. */
#include "check/print.h"

#include <string.h>

#include "base/option.h"
#include "base/text.h"
#include "utf8val.h"

/* The part of the line before and after the place, in whole characters. */
static void context(const struct window *window, size_t bad,
		    const uint8_t **before, size_t *before_len, size_t *after)
{
	const uint8_t *place = window->bytes + window->at;
	size_t len = window->at < WINDOW_CONTEXT / 2 ? window->at : WINDOW_CONTEXT / 2;
	const uint8_t *newline = len ? memrchr(place - len, '\n', len) : NULL;
	size_t left = window->len - window->at - bad;

	if (newline)
		len = (size_t)(place - newline - 1);
	/*
	 * Shorten the part by the end of a character that was cut, but not at
	 * the beginning of the file, where nothing was cut.
	 */
	for (int i = 0; i < 3 && len && !newline && len < window->place.offset; i++) {
		if ((*(place - len) & 0xC0) != 0x80)
			break;
		len--;
	}
	*before = place - len;
	*before_len = len;
	left = utf8val_floor(place + bad, left, WINDOW_CONTEXT / 2);
	newline = memchr(place + bad, '\n', left);
	*after = newline ? (size_t)(newline - place) - bad : left;
}

/* "FILE:LINE:COLUMN: " */
static void add_place(struct text *line, const char *path, size_t len,
		      const struct text_place *place)
{
	const struct colours *c = colours();

	text_puts(line, c->path);
	text_escape(line, path, len);
	text_printf(line, "%s:%s%llu%s:%s%llu%s: ", c->off, c->number, place->line,
		    c->off, c->number, place->column, c->off);
}

static void add_place_json(struct text *line, const char *path, size_t len,
			   const struct text_place *place)
{
	text_json(line, "{\"path\":", path, len);
	text_printf(line, ",\"line\":%llu,\"column\":%llu,\"offset\":%llu",
		    place->line, place->column, place->offset);
}

/* "FILE:LINE:COLUMN: overlong C0 AF at byte 20: before\xC0\xAFafter" */
static void describe(struct text *line, const char *path, size_t len,
		     const struct window *window,
		     const struct utf8val_result *bad)
{
	const struct colours *c = colours();
	const uint8_t *place = window->bytes + window->at;
	const uint8_t *before;
	size_t before_len, after;

	context(window, bad->bad, &before, &before_len, &after);
	add_place(line, path, len, &window->place);
	text_printf(line, "%s%s%s ", c->bad, utf8val_reason_name(bad->reason), c->off);
	text_hex(line, place, bad->bad, ' ');
	text_printf(line, " at byte %llu: ", window->place.offset);
	text_escape(line, before, before_len);
	text_puts(line, c->bad);
	text_escape(line, place, bad->bad);
	text_puts(line, c->off);
	text_escape(line, place + bad->bad, after);
	text_puts(line, "\n");
}

static void describe_json(struct text *line, const char *path, size_t len,
			  const struct window *window,
			  const struct utf8val_result *bad)
{
	const uint8_t *place = window->bytes + window->at;
	const uint8_t *before;
	size_t before_len, after;

	context(window, bad->bad, &before, &before_len, &after);
	add_place_json(line, path, len, &window->place);
	text_printf(line, ",\"length\":%u,\"reason\":\"%s\",\"hex\":\"",
		    bad->bad, utf8val_reason_name(bad->reason));
	text_hex(line, place, bad->bad, ' ');
	text_json(line, "\",\"before\":", before, before_len);
	text_json(line, ",\"after\":", place + bad->bad, after);
	text_puts(line, "}\n");
}

/* Only the file's name, in the way that was asked for. */
void check_name_file(const struct check *check, const char *path, size_t len)
{
	text_auto line = { 0 };

	if (check->output == OUTPUT_NULL) {
		text_add(&line, path, len);
		text_add(&line, "", 1);
	} else if (check->output == OUTPUT_JSON) {
		text_json(&line, "{\"path\":", path, len);
		text_puts(&line, "}\n");
	} else {
		text_escape(&line, path, len);
		text_puts(&line, "\n");
	}
	text_emit(&line);
}

void check_print(const struct check *check, const char *path, size_t len,
		   const struct window *window,
		   const struct utf8val_result *bad)
{
	text_auto line = { 0 };

	if (check->quiet || check->good)
		return;
	if (check->list || check->output == OUTPUT_NULL) {
		check_name_file(check, path, len);
		return;
	}
	if (check->output == OUTPUT_JSON)
		describe_json(&line, path, len, window, bad);
	else
		describe(&line, path, len, window, bad);
	text_emit(&line);
}

/* "FILE:LINE:COLUMN: warning: NUL at byte 20": well-formed, but strange. */
void check_print_warning(const struct check *check, const char *path, size_t len,
			 const struct text_place *place, const char *what)
{
	text_auto line = { 0 };

	if (check->output == OUTPUT_JSON) {
		add_place_json(&line, path, len, place);
		text_printf(&line, ",\"warning\":\"%s\"}\n", what);
	} else {
		add_place(&line, path, len, place);
		text_printf(&line, "warning: %s at byte %llu\n", what, place->offset);
	}
	text_emit(&line);
}
