/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The table of mounts, as /proc has it. */
#ifndef UTF8VAL_MOUNT_MOUNTS_H
#define UTF8VAL_MOUNT_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "mount/guard_marks.h"

struct mount_entry {
	unsigned long long id;
	char *root;	/* which of the file system's directories is there */
	char *point;
	char *fstype;
	char *mode;	/* NULL: no utf8val= among its options */
	unsigned int major, minor;
};

struct mounts {
	struct mount_entry *entries;
	size_t count;
};

/* Open PATH below the root, where /proc and /sys are; NULL: *error says why. */
FILE *mounts_open(const char *root, const char *path, int *error);

/*
 * Read the whole table, with what a guard has marked. Returns: could it be? If
 * not, a complaint has been made.
 */
bool mounts_read(struct mounts *mounts, const char *root,
		 const struct guard_marks *guard);

/*
 * The mount that a path is on; the last one on top of others of that id. NULL
 * after a complaint.
 */
const struct mount_entry *mounts_find(const struct mounts *mounts,
				      const char *path);

#endif /* UTF8VAL_MOUNT_MOUNTS_H */
