/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What utf8val-guard has marked. */
#ifndef UTF8VAL_MOUNT_GUARD_MARKS_H
#define UTF8VAL_MOUNT_GUARD_MARKS_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/shared/guard_maps.h"

struct guard_marks {
	struct guard_mark *at;	/* to be freed */
	size_t count;
};

/* as a shell has it */
#define GUARD_NOT_FOUND 127

/*
 * Run utf8val-guard, if @silent without what it has to complain of. Returns: its exit
 * status; GUARD_NOT_FOUND: it is not installed.
 */
int guard_run(char **argv, bool silent);

enum guard_answer { GUARD_IN_FORCE, GUARD_NOT_IN_FORCE, GUARD_UNKNOWN };

/*
 * Is a guard in force? utf8val-guard tries it. Where that is not installed, there is
 * none if no mount takes the option. Others than root of the host cannot know.
 */
enum guard_answer guard_ask(void);

/* What it has marked; nothing where that cannot be read. */
void guard_read(struct guard_marks *marks);

/* The mode of a device's file system, as the option has it; NULL: none. */
const char *guard_mode(const struct guard_marks *marks, unsigned int major,
		       unsigned int minor);

/* The subcommand: argv[0] is for messages; returns an exit status. */
int guard_main(int argc, char **argv);

#endif /* UTF8VAL_MOUNT_GUARD_MARKS_H */
