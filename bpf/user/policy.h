/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The policy file: which file systems shall have which mode. A line is a mode and what it is
 * for: UUID=, TYPE= or default. A "#" begins a comment. apply.c, set.c and requested.c use it.
 */
#ifndef UTF8VAL_GUARD_POLICY_FILE_H
#define UTF8VAL_GUARD_POLICY_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/shared/guard_maps.h"

#define POLICY_FILE "/etc/utf8val.conf"

#define POLICY_TEXT 80

struct policy_line {
	struct guard_what what;
	enum guard_mode mode;
	unsigned int number;	/* of the line, from 1 */
	char text[POLICY_TEXT];	/* what it is for, as it is written */
};

struct policy {
	struct policy_line *lines;
	size_t count;
};

/*
 * Read the policy file. A file that does not exist is empty. Returns: false after
 * complaints, one for each of the first ten bad lines; *policy has the good lines before
 * the tenth.
 */
bool policy_read(struct policy *policy);

/*
 * Read the lines of a map into *policy, without their numbers. @fd: the map's file
 * descriptor. Returns: 0 or a negative errno.
 */
int policy_read_map(struct policy *policy, int fd);

/* Does the line name one of these superblocks, or all? A line before it may do so, too. */
bool policy_line_is_used(const struct policy_line *line, const struct guard_seen *list,
			 long count);

/* Is this a type that /proc/filesystems lists? Other lines are good in this respect. */
bool policy_line_type_known(const struct policy_line *line);

/*
 * Put the policy into a map. A line that stays is in the map at each moment. @fd: the
 * map's file descriptor. Returns: 0 or a negative errno.
 */
int policy_put(const struct policy *policy, int fd);

/* Returns: a file descriptor of a new map that holds this policy, or a negative errno. */
int policy_map(const struct policy *policy);

/* Returns: the line that gives this superblock its mode, or NULL. */
const struct policy_line *policy_line_of(const struct policy *policy,
					 const struct guard_seen *seen);

/*
 * Write a line into the policy file, in the place of the line for the same thing if
 * there is one. @what: as in the file. Returns: 1 if that has changed the file, 0 if
 * not, -1 after a complaint.
 */
int policy_write(enum guard_mode mode, const char *what);

/* Make the text by which the policy file names this superblock; UUID=, or else TYPE=. */
void policy_name(const struct guard_seen *seen, char text[POLICY_TEXT]);

#endif /* UTF8VAL_GUARD_POLICY_FILE_H */
