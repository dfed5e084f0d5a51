/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A mode that a file system keeps, as an extended attribute of its root. */
#ifndef UTF8VAL_MOUNT_PERSIST_H
#define UTF8VAL_MOUNT_PERSIST_H

#include <stdbool.h>

/*
 * For .take of a command_option: stores the mode in the const char * at data.
 * Returns what is wrong with the argument, or NULL.
 */
const char *persist_take(void *data, const char *argument);

/*
 * Write the mode on the root of the file system at this mount point, or remove the mode
 * when it is "unset". The mount must have that id, and must show the file system from its
 * root on; both come from mountinfo. Returns false after a complaint.
 */
bool persist_write(const char *point, unsigned long long id, const char *root,
		   const char *mode);

#endif /* UTF8VAL_MOUNT_PERSIST_H */
