/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Set the mode of file systems that are mounted. enforce.c calls this part of set.c. */
#ifndef UTF8VAL_GUARD_SET_H
#define UTF8VAL_GUARD_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "apply.h"
#include "bpf/shared/guard_maps.h"

/*
 * Open a mount point as a mere path. @command: the arguments of utf8val-guard, for the
 * message about a path that is none. Returns: a file descriptor, or -1 after a complaint.
 */
int open_mount_point(const char *path, const char *command);

/* A mount point, and a file descriptor for it. */
struct target {
	const char *path;
	int fd;
};

/*
 * Set the mode of the file systems that are mounted there. @keep: write a line for each of
 * them into the policy file, too. Returns: an exit status.
 */
int set_modes(const struct target *targets, size_t count, enum guard_mode mode, bool keep,
	      const struct report_options *options);

#endif /* UTF8VAL_GUARD_SET_H */
