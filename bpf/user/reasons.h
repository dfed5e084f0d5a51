/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Why a kernel cannot have the guard, and what would change that. */
#ifndef UTF8VAL_GUARD_REASONS_H
#define UTF8VAL_GUARD_REASONS_H

#include <stdbool.h>

/* Can it work at all? Returns false when it has complained. */
bool reasons_before(void);

/* Why loading or attaching a program has failed with this error. */
void reasons_complain(const char *what, const char *program, int error);

/* The option was not taken, or a bad name was: nothing is called. */
void reasons_not_called(void);

/*
 * Is a guard in force of which there are no pins here? After the last one has
 * lost its pins the kernel takes a moment; that is waited for with @wait.
 */
bool reasons_hidden(bool wait);

/* That there are no pins, and what this means. */
void reasons_no_pins(void);

#endif /* UTF8VAL_GUARD_REASONS_H */
