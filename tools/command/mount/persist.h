/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A mode that a file system keeps: an extended attribute of its root. */
#ifndef UTF8VAL_MOUNT_PERSIST_H
#define UTF8VAL_MOUNT_PERSIST_H

#include <stdbool.h>

/* For .take of an option: into the const char * at data. What is wrong, or NULL. */
const char *persist_take(void *data, const char *argument);

/*
 * Write the mode on the root of the file system at this mount point, or, for
 * "unset", remove what is there. The point's mount must have that id, and show
 * the file system from its root on, which mountinfo says. Returns: was it done?
 * If not, a complaint has been made.
 */
bool persist_write(const char *point, unsigned long long id, const char *root,
		   const char *mode);

#endif /* UTF8VAL_MOUNT_PERSIST_H */
