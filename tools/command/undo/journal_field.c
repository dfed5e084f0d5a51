// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Fields of a journal's lines: escaped bytes, and numbers. */
#include "undo/journal_field.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

char *field_bytes(const char **line)
{
	const char *s = *line;
	char *field = must(malloc(strlen(s) + 1));
	size_t len = 0;

	while (*s && *s != ' ') {
		char byte = *s++;

		if (byte == '%') {
			int value = text_hex_pair(s);

			if (value <= 0)
				goto bad;
			byte = (char)value;
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

/* Can this be the name of a file? */
static bool is_name(const char *name)
{
	return name && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, "..");
}

char *field_name(const char **line)
{
	char *name = field_bytes(line);

	if (is_name(name))
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

static const char letters[] = "dflpscb";
static const mode_t types[] = { S_IFDIR, S_IFREG, S_IFLNK, S_IFIFO,
				S_IFSOCK, S_IFCHR, S_IFBLK };

char field_type_letter(mode_t type)
{
	size_t i = 0;

	while (types[i] != type && letters[i + 1])
		i++;
	return letters[i];
}

bool field_type(const char **line, mode_t *type)
{
	const char *at = **line ? strchr(letters, **line) : NULL;

	if (!at || (*line)[1] != ' ')
		return false;
	*type = types[at - letters];
	*line += 2;
	return true;
}
