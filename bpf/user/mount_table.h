/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The mounts of this mount namespace. Every subcommand that takes or prints a path calls
 * this.
 */
#ifndef UTF8VAL_GUARD_MOUNT_TABLE_H
#define UTF8VAL_GUARD_MOUNT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <linux/types.h>

#include "bpf/shared/guard_maps.h"
#include "bpf/shared/mountinfo.h"

struct mount_table {
	struct mountinfo mount;	/* until the next one is read */
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
 * Open a path that is only to be pointed at. A directory is opened with O_DIRECTORY, so
 * that a file system which is mounted on demand is mounted now. Otherwise the mode would be
 * given to the file system that has the mount point.
 */
int open_path(const char *path);

/*
 * Open the root of this mount as a mere path (O_PATH). If it is an automount
 * point, what is to be mounted there is mounted. Returns: a file descriptor, or
 * -1 with errno set; EBUSY: another mount hides this one.
 */
int mount_table_reach(const struct mount_table *table);

/* A mount of the list that mounts_read() returns. */
struct mounted {
	unsigned long long id, parent;
	__u32 dev;	/* as the kernel has it: 12 and 20 bits */
	bool hidden;	/* another mount covers it or what is above it: paths lead elsewhere */
	bool asked;	/* hidden is known */
	enum guard_mode mode;	/* that the kernel's own option gives it */
	char *point, *type, *source;
};

/* Returns: all mounts of this mount namespace, which stay in memory; *@count: how many. */
const struct mounted *mounts_read(size_t *count);

/* The same, as they were at the first call: a report reads them once. */
const struct mounted *mounts_once(size_t *count);

/* Returns: the number of the mount that a file is on; ULLONG_MAX: not known. */
unsigned long long mount_of(int fd);

/* Is this file the root of a mount? */
bool is_mount_point(int fd);

#endif /* UTF8VAL_GUARD_MOUNT_TABLE_H */
