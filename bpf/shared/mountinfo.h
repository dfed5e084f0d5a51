/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What both commands need to read /proc/PID/mountinfo. */
#ifndef UTF8VAL_MOUNTINFO_H
#define UTF8VAL_MOUNTINFO_H

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

#endif /* UTF8VAL_MOUNTINFO_H */
