/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Is the guard in force? Pins say that programs are loaded, and not that the kernel
 * calls them: so each question is answered by a try.
 */
#ifndef UTF8VAL_GUARD_IN_FORCE_H
#define UTF8VAL_GUARD_IN_FORCE_H

#include <stdbool.h>

#include "guard_command.h"

/*
 * What was found. The status is STATUS_GOOD: it is in force; STATUS_BAD: it is not;
 * STATUS_TROUBLE: unknown, as it cannot be tried.
 */
struct finding {
	enum status status;
	const char *word;	/* why, for programs; NULL: it is in force */
	char text[768];		/* for people, with what to do */
};

/*
 * Try a mount with utf8val=@mode. Where that fails, wait for a start or stop that
 * is at work, and try again; with @locked the caller has the lock of pins_lock().
 */
struct finding in_force(const char *mode, bool locked);

/*
 * What it means that there are no pins. The kernel lets go of programs a moment
 * after their pins are gone; that is waited for with @wait.
 */
struct finding in_force_without_pins(bool wait);

#endif /* UTF8VAL_GUARD_IN_FORCE_H */
