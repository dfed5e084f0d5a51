/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What is mounted in this mount namespace. */
#ifndef UTF8VAL_GUARD_MOUNT_TABLE_H
#define UTF8VAL_GUARD_MOUNT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include <linux/types.h>

/* One mount. Its strings are valid until the next mount is read. */
struct mount_table {
	int id;
	__u32 dev;		/* the superblock's, as struct guard_mark has it */
	const char *point, *type, *source;
	FILE *file;
	char *line;
	size_t room;
};

/*
 * Read the next mount; before the first call, all of *table is 0. Returns: was there one
 * more? The table is closed after the last mount; if reading ends before that, close it.
 */
bool mount_table_next(struct mount_table *table);
void mount_table_close(struct mount_table *table);

/*
 * Open the root of this mount as a mere path (O_PATH). If it is an automount
 * point, what is to be mounted there is mounted. Returns: a file descriptor, or
 * -1 with errno set; EBUSY: another mount hides this one.
 */
int mount_table_reach(const struct mount_table *table);

#endif /* UTF8VAL_GUARD_MOUNT_TABLE_H */
