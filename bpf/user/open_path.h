/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Open what is only to be pointed at. */
#ifndef UTF8VAL_GUARD_OPEN_PATH_H
#define UTF8VAL_GUARD_OPEN_PATH_H

#include <errno.h>
#include <fcntl.h>

/*
 * Without O_DIRECTORY what is mounted on demand would not be, and the file
 * system that it hangs off would get the mode.
 */
static inline int open_path(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 && errno == ENOTDIR ? open(path, O_PATH | O_CLOEXEC) : fd;
}

#endif /* UTF8VAL_GUARD_OPEN_PATH_H */
