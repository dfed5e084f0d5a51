// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Parsing the lines of a plan: JSON, or columns with tabs between them. */
#include "fix/plan_line.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "utf8val.h"

/* The bytes of "...", {"text":"..."} or {"bytes":"..."}; NULL if it is none. */
static char *take_bytes(const json_t *value, size_t *len)
{
	const json_t *bytes = json_object_get(value, "bytes");
	const json_t *text = json_is_string(value) ?
				     value :
				     json_object_get(value, "text");

	if (json_is_string(bytes))
		return json_unbase64(json_string_value(bytes),
				     json_string_length(bytes), len);
	if (!json_is_string(text))
		return NULL;
	*len = json_string_length(text);
	return must(strndup(json_string_value(text), *len));
}

static bool is_name(const char *name, size_t len)
{
	return len && strlen(name) == len && !strchr(name, '/') &&
	       strcmp(name, ".") && strcmp(name, "..") &&
	       utf8val_valid(name, len);
}

static void fault_set(struct plan_line *out, size_t column, const char *what)
{
	out->wrong.len = 0;
	text_puts(&out->wrong, what);
	out->column = column;
}

/* The column of a place in a line. */
static size_t column_of(const char *line, size_t at)
{
	size_t column = 1;

	while (at--)
		column += (line[at] & 0xC0) != 0x80;
	return column;
}

/* Where the n-th key of a line of good JSON begins. */
static size_t key_column(const char *line, size_t number)
{
	for (size_t i = 0, begin; line[i]; i++) {
		if (line[i] != '"')
			continue;
		for (begin = i++; line[i] != '"'; i++)
			i += line[i] == '\\';
		if (line[i + 1 + strspn(line + i + 1, " \t")] == ':' && !--number)
			return column_of(line, begin);
	}
	return 0;
}

/* Keys of a line, of its guess, and of what stands for bytes. */
static const char *const line_keys[] = { "path", "name", "to", "guess", "offset",
					 "length", "reason", "target", "as",
					 "sure", "left", "done", NULL };
static const char *const guess_keys[] = { "as", "sure", "name", NULL };
static const char *const byte_keys[] = { "text", "bytes", NULL };

/*
 * Is each key of an object known? number: how many keys of the line were looked at
 * before; it is advanced.
 */
static bool check_keys(json_t *object, const char *const *known, size_t *number,
		       const char **unknown)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		const char *const *name = known;

		(*number)++;
		while (*name && strcmp(*name, key) != 0)
			name++;
		*unknown = key;
		if (!*name)
			return false;
		if (json_is_object(value) &&
		    !check_keys(value, strcmp(key, "guess") ? byte_keys : guess_keys,
				number, unknown))
			return false;
	}
	return true;
}

/* Take path and new name from a parsed line: what is wrong with the line, or NULL. */
static const char *take_object(const json_t *line, struct plan_line *out)
{
	const json_t *new = json_object_get(line, "to");
	bool guessed = !new;
	char *path, *to;
	size_t len, to_len;

	/* links follow by themselves, and a file without a new name keeps its name */
	if (!new)
		new = json_object_get(json_object_get(line, "guess"), "name");
	if (!new || json_object_get(line, "target"))
		return NULL;
	path = take_bytes(json_object_get(line, "path"), &len);
	if (!path || !len || strlen(path) != len) {
		free(path);
		return "it has no path";
	}
	to = take_bytes(new, &to_len);
	if (!to || !is_name(to, to_len)) {
		free(path);
		free(to);
		return "its new name cannot be a name in UTF-8";
	}
	*out = (struct plan_line){ .path = path, .to = to, .to_len = to_len,
				   .guessed = guessed };
	return NULL;
}

static bool take_json(const char *text, size_t len, struct plan_line *out)
{
	json_error_t error;
	json_t *line = json_loadb(text, len, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES,
				  &error);
	const char *unknown = NULL, *wrong = NULL;
	size_t number = 0;

	if (!json_is_object(line)) {
		fault_set(out, error.column > 0 ? (size_t)error.column : 1,
			  "it is no JSON object");
	} else if (!check_keys(line, line_keys, &number, &unknown)) {
		fault_set(out, key_column(text, number), "no plan has the key ");
		text_escape(&out->wrong, unknown, strlen(unknown));
	} else {
		wrong = take_object(line, out);
		if (wrong)
			fault_set(out, 0, wrong);
	}
	json_decref(line);
	return !out->wrong.len;
}

/* A path, a tab, a new name and, where there is another tab, what nobody reads. */
static bool take_tabs(const char *text, size_t len, struct plan_line *out)
{
	const char *tab, *end;
	struct text path = { 0 }, to = { 0 };

	while (len && strchr("\r\n", text[len - 1]))
		len--;
	tab = memchr(text, '\t', len);
	if (!tab) {
		fault_set(out, 1, "it is no JSON object, and has no tab after a "
				    "path");
		return false;
	}
	end = memchr(tab + 1, '\t', len - (size_t)(tab + 1 - text));
	if (!end)
		end = text + len;
	if (!text_unescape(&path, text, (size_t)(tab - text)))
		fault_set(out, 1, "a backslash in its path is none of \\xHH, \\n, "
				    "\\t, \\r and \\\\");
	else if (!path.len || memchr(path.bytes, '\0', path.len))
		fault_set(out, 1, "it has no path");
	else if (!text_unescape(&to, tab + 1, (size_t)(end - tab - 1)))
		fault_set(out, column_of(text, (size_t)(tab + 1 - text)),
			  "a backslash in its new name is none of \\xHH, \\n, \\t, "
			  "\\r and \\\\");
	text_add(&path, "", 1);
	text_add(&to, "", 1);
	/* without a new name, the old one stays */
	if (!out->wrong.len && to.len > 1) {
		if (is_name(to.bytes, to.len - 1)) {
			*out = (struct plan_line){ .path = path.bytes,
						   .to = to.bytes,
						   .to_len = to.len - 1 };
			return true;
		}
		fault_set(out, column_of(text, (size_t)(tab + 1 - text)),
			  "its new name cannot be a name in UTF-8");
	}
	text_free(&path);
	text_free(&to);
	return !out->wrong.len;
}

bool plan_line_parse(const char *text, size_t len, struct plan_line *line)
{
	*line = (struct plan_line){ .path = NULL };
	return strchr("{[", text[strspn(text, " \t\r\n")]) ?
		       take_json(text, len, line) :
		       take_tabs(text, len, line);
}
