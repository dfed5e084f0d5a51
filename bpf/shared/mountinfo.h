/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Reads lines of /proc/PID/mountinfo, and lists of security modules. mount_table.h,
 * requested.c and obstacles.c of the command include this, and vm/lib/fs.h.
 */
#ifndef UTF8VAL_MOUNTINFO_H
#define UTF8VAL_MOUNTINFO_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* /proc writes a space, tab, newline or backslash in a path as \ooo. */
static inline void mountinfo_unescape(char *s)
{
	char *to = s;

	while (*s) {
		if (s[0] == '\\' && strspn(s + 1, "01234567") >= 3) {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 |
				       (s[3] - '0'));
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

/* Is this word in a list, which has commas between its words? */
static inline bool list_has(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
		if (!strncmp(list, word, len) && (!list[len] || list[len] == ','))
			return true;
	return false;
}

/* One mount. Its strings lie in the line that it was parsed from. */
struct mountinfo {
	unsigned long long id;
	unsigned long long parent;	/* the id of the mount that this one is on */
	unsigned int dev;	/* as the kernel has it: 12 and 20 bits */
	char *root;	/* the directory of the file system that is shown */
	char *point, *type, *source;
	char *options;	/* of the file system */
};

/*
 * Parse a line, which proc(5) describes: "36 35 98:0 /root /point options optional... -
 * type source options-of-the-file-system". Returns: is it one?
 */
static inline bool mountinfo_parse(char *line, struct mountinfo *mount)
{
	unsigned int major, minor;
	char *fields[6], *dash;

	line[strcspn(line, "\n")] = '\0';
	for (int i = 0; i < 6; i++)
		fields[i] = strsep(&line, " ");
	/* a dash ends the optional fields */
	do {
		dash = strsep(&line, " ");
	} while (dash && strcmp(dash, "-") != 0);
	mount->type = strsep(&line, " ");
	mount->source = strsep(&line, " ");
	mount->options = line;
	if (!line || sscanf(fields[2], "%u:%u", &major, &minor) != 2)
		return false;
	mount->id = strtoull(fields[0], NULL, 10);
	mount->parent = strtoull(fields[1], NULL, 10);
	mount->dev = major << 20 | minor;
	mount->root = fields[3];
	mount->point = fields[4];
	mountinfo_unescape(mount->root);
	mountinfo_unescape(mount->point);
	mountinfo_unescape(mount->source);
	return true;
}

#endif /* UTF8VAL_MOUNTINFO_H */
