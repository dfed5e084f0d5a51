// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The output of --json, read again: its lines, and the bytes that text_json() has written.
 * fix --plan and summary use it.
 */
#include "base/json.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/text.h"

/* The bytes that base64 stands for, ended by a NUL, to be freed; NULL if it is none. */
static char *unbase64(const char *text, size_t len, size_t *out_len)
{
	char *out = must(malloc(len / 4 * 3 + 1));
	uint32_t bits = 0;
	size_t pad = 0;

	*out_len = 0;
	for (size_t i = 0; i < len; i++) {
		const char *digit = text[i] ? strchr(text_base64, text[i]) : NULL;

		if (text[i] == '=' && len - i <= 2)
			pad++;
		else if (!digit || pad)
			goto bad;
		bits = bits << 6 | (digit ? (uint32_t)(digit - text_base64) : 0);
		if (i % 4 != 3)
			continue;
		for (int shift = 16; shift >= 0; shift -= 8)
			out[(*out_len)++] = (char)(bits >> shift);
	}
	if (len % 4)
		goto bad;
	*out_len -= pad;
	out[*out_len] = '\0';
	return out;
bad:
	free(out);
	return NULL;
}

char *json_bytes(const json_t *value, size_t *len)
{
	const json_t *bytes = json_object_get(value, "bytes");
	const json_t *text = json_is_string(value) ? value : json_object_get(value, "text");

	if (json_is_string(bytes))
		return unbase64(json_string_value(bytes), json_string_length(bytes), len);
	if (!json_is_string(text))
		return NULL;
	*len = json_string_length(text);
	/* a NUL may be among them */
	return memcpy(must(calloc(1, *len + 1)), json_string_value(text), *len);
}

bool json_lines(const char *path,
		void (*take)(void *data, const char *line, size_t len, struct text *wrong),
		void *data)
{
	bool is_stdin = !strcmp(path, "-"), good = false;
	FILE *file = is_stdin ? stdin : fopen(path, "re");
	unsigned long long number = 0;
	text_auto wrong = { 0 };
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	while (file && !wrong.len && !interrupted && (len = getline(&line, &room, file)) > 0) {
		size_t mark = !number++ && !strncmp(line, "\xEF\xBB\xBF", 3) ? 3 : 0;
		const char *text = line + mark;

		if (text + strspn(text, " \t\r\n") < line + len)
			take(data, text, (size_t)len - mark, &wrong);
	}
	if (wrong.len)
		complain(path, strlen(path), "line %llu: %.*s", number, (int)wrong.len,
			 wrong.bytes);
	else if (!file || ferror(file))
		complain_errno(path, strlen(path), errno);
	else
		good = !interrupted;
	free(line);
	if (file && !is_stdin)
		fclose(file);
	return good;
}
