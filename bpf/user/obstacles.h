/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Why a kernel cannot have the guard, and what would change that. start.c and active.c call
 * this.
 */
#ifndef UTF8VAL_GUARD_OBSTACLES_H
#define UTF8VAL_GUARD_OBSTACLES_H

#include <stdbool.h>
#include <string.h>

/* Can this kernel have the guard at all? Returns: false after a complaint. */
bool obstacle_before_start(void);

/* Warn of a kernel in which the guard works, except for a defect that an update fixes. */
void obstacle_warn(void);

/* Complain that loading or attaching a program failed with this error, and why. */
void obstacle_complain(const char *what, const char *program, int error);

/* The reason why a kernel does not call programs that are loaded. */
struct obstacle {
	const char *word;	/* for programs, so it never changes */
	char text[640];		/* for people, with what to do */
};

/* Why has no program answered? The word is "not-called" if the reason is not known. */
struct obstacle obstacle_not_called(void);

static inline bool obstacle_known(const struct obstacle *obstacle)
{
	return strcmp(obstacle->word, "not-called") != 0;
}

/* Does this kernel have the option itself, without a guard? */
bool obstacle_built_in(void);

#endif /* UTF8VAL_GUARD_OBSTACLES_H */
