// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * For tests/command/extra.py: the results of portable.h for names that no file system
 * here accepts. Each line of standard input is a name; for each name, a line has the
 * new name by portable.h, and the reason.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan/portable.h"

int main(void)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	while ((len = getline(&line, &room, stdin)) > 0) {
		struct text to = { 0 };

		len--;
		portable_make(line, (size_t)len, &to);
		text_puts(&to, "\t");
		portable_reason(line, (size_t)len, &to);
		printf("%.*s\n", (int)to.len, to.bytes);
		text_free(&to);
	}
	free(line);
	return 0;
}
