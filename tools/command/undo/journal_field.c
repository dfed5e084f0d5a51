// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Fields of a journal's lines: escaped bytes, and numbers. */
#include "undo/journal_field.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

char *field_bytes(const char **line)
{
	const char *s = *line;
	char *field = must(malloc(strlen(s) + 1));
	size_t len = 0;

	while (*s && *s != ' ') {
		char byte = *s++;

		if (byte == '%') {
			int high = hex_digit(s[0]);
			int low = high < 0 ? -1 : hex_digit(s[1]);

			if (low < 0 || !(high | low))
				goto bad;
			byte = (char)(high << 4 | low);
			s += 2;
		}
		field[len++] = byte;
	}
	if (!len)
		goto bad;
	if (*s == ' ')
		s++;
	field[len] = '\0';
	*line = s;
	return field;
bad:
	free(field);
	return NULL;
}

bool field_is_name(const char *name)
{
	return name && !strchr(name, '/') && strcmp(name, ".") &&
	       strcmp(name, "..");
}

char *field_name(const char **line)
{
	char *name = field_bytes(line);

	if (field_is_name(name))
		return name;
	free(name);
	return NULL;
}

bool field_number(const char **line, unsigned long long *number)
{
	char *end;

	if (**line < '0' || **line > '9')
		return false;
	errno = 0;
	*number = strtoull(*line, &end, 10);
	if (errno || (*end && *end != ' '))
		return false;
	*line = *end ? end + 1 : end;
	return true;
}

bool field_identity(const char **line, struct identity *id)
{
	unsigned long long ino, born;

	if (!field_number(line, &ino) || !field_number(line, &born))
		return false;
	id->ino = ino;
	id->born = born;
	id->lasting = ino != 0;
	return true;
}
