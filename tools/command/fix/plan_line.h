/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* One line of a plan. */
#ifndef UTF8VAL_FIX_PLAN_LINE_H
#define UTF8VAL_FIX_PLAN_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct plan_line {
	char *path;	/* to be freed, as .to is; NULL: nothing gets another name */
	char *to;
	size_t to_len;
	bool guessed;	/* by a scan; nobody has written it */
	struct text wrong;	/* why it is no line of a plan; to be freed */
	size_t column;	/* of that, in characters from 1; 0: of no one place */
};

/**
 * plan_line_parse() - parse a line
 * @text: the line, not blank; a NUL follows
 * @len: its bytes
 * @line: filled in
 *
 * Return: false, with .wrong and .column, when no plan has such a line.
 */
bool plan_line_parse(const char *text, size_t len, struct plan_line *line);

#endif /* UTF8VAL_FIX_PLAN_LINE_H */
