/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Open a path that is only to be pointed at. */
#ifndef UTF8VAL_GUARD_OPEN_PATH_H
#define UTF8VAL_GUARD_OPEN_PATH_H

#include <errno.h>
#include <fcntl.h>

/*
 * Open a directory with O_DIRECTORY, so that a file system which is mounted on
 * demand is mounted now. Otherwise the mode would be given to the file system
 * that has the mount point.
 */
static inline int open_path(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 && errno == ENOTDIR ? open(path, O_PATH | O_CLOEXEC) : fd;
}

#endif /* UTF8VAL_GUARD_OPEN_PATH_H */
