/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Why a kernel cannot have the guard, and what would change that. */
#ifndef UTF8VAL_GUARD_REASONS_H
#define UTF8VAL_GUARD_REASONS_H

#include <stdbool.h>

/* Can it work at all? Returns false when it has complained. */
bool reasons_before(void);

/* Why loading or attaching a program has failed with this error. */
void reasons_complain(const char *what, const char *program, int error);

/* What keeps a kernel from calling programs that are loaded. */
struct obstacle {
	const char *word;	/* for programs; it stays the same */
	char text[640];		/* for people, with what to do */
};

/*
 * Why it is that none has answered; the word is "not-called" where the reason is
 * not known.
 */
struct obstacle reasons_not_called(void);

/* Is the option the kernel's own? */
bool reasons_built_in(void);

#endif /* UTF8VAL_GUARD_REASONS_H */
