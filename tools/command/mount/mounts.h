/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Reading the table of mounts that /proc has. */
#ifndef UTF8VAL_MOUNT_MOUNTS_H
#define UTF8VAL_MOUNT_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "mount/guard_marks.h"

struct mount_entry {
	unsigned long long id;
	char *root;	/* the directory of the file system that is shown */
	char *point;
	char *fstype;
	const char *mode;	/* value of the option utf8val=, or NULL */
};

struct mounts {
	struct mount_entry *entries;
	size_t count;
};

/*
 * Open a path below the root, the directory above /proc and /sys; NULL with an
 * errno value in *error.
 */
FILE *mounts_open(const char *root, const char *path, int *error);

/* Read the whole table, with the marks of a guard; false after a complaint. */
bool mounts_read(struct mounts *mounts, const char *root,
		 const struct guard_marks *guard);

/* The mount that a path is on; NULL after a complaint. */
const struct mount_entry *mounts_find(const struct mounts *mounts, const char *path);

#endif /* UTF8VAL_MOUNT_MOUNTS_H */
