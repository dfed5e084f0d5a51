/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The file systems that utf8val-guard has marked. */
#ifndef UTF8VAL_MOUNT_GUARD_MARKS_H
#define UTF8VAL_MOUNT_GUARD_MARKS_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/shared/guard_maps.h"

struct guard_marks {
	struct guard_mark *at;	/* to be freed */
	size_t count;
};

/* The exit status of a shell for a program that is not there. */
#define GUARD_NOT_FOUND 127

/*
 * Run utf8val-guard, without its complaints if @silent. Returns the exit status
 * of utf8val-guard, or GUARD_NOT_FOUND when it is not installed.
 */
int guard_run(char **argv, bool silent);

enum guard_answer { GUARD_IN_FORCE, GUARD_NOT_IN_FORCE, GUARD_UNKNOWN };

/*
 * Is a guard in force? utf8val-guard knows. Where utf8val-guard is not installed, a mount
 * that does not take the option shows that there is no guard. Only root of the host can
 * find out, so for others the answer is GUARD_UNKNOWN.
 */
enum guard_answer guard_ask(void);

/*
 * Read the file systems that the guard has marked; none where the marks cannot be read.
 */
void guard_read(struct guard_marks *marks);

/*
 * The name of the mode that the file system of a device is marked with; NULL when it is
 * not marked.
 */
const char *guard_mode(const struct guard_marks *marks, unsigned int dev);

#endif /* UTF8VAL_MOUNT_GUARD_MARKS_H */
