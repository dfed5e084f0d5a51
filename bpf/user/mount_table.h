/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What is mounted in this mount namespace. */
#ifndef UTF8VAL_GUARD_MOUNT_TABLE_H
#define UTF8VAL_GUARD_MOUNT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include <linux/types.h>

/* One mount; the strings are valid until the next is read. */
struct mount_table {
	int id;
	__u32 dev;		/* the superblock's, as struct guard_mark has it */
	const char *point, *type, *source;
	FILE *file;
	char *line;
	size_t room;
};

/*
 * To begin with, all of *table is 0. Returns: is there one more? After the last one
 * the table is closed; one that is left before that has to be.
 */
bool mount_table_next(struct mount_table *table);
void mount_table_close(struct mount_table *table);

/*
 * Open the root of this mount for its path alone. What is mounted on demand is
 * mounted.
 * Returns: a file descriptor, or -1 with errno set, EBUSY: another mount hides it.
 */
int mount_table_reach(const struct mount_table *table);

#endif /* UTF8VAL_GUARD_MOUNT_TABLE_H */
