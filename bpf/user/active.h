/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Is the guard active? Pins show that programs are loaded, but not that the kernel calls
 * them: a self-test shows that. Every subcommand that needs the guard calls this.
 */
#ifndef UTF8VAL_GUARD_ACTIVE_H
#define UTF8VAL_GUARD_ACTIVE_H

#include <stdbool.h>

#include "guard_command.h"

/* The words after "active" where no BPF program can accept a mount option. */
#define WITHOUT_OPTION ", but this kernel lets mounts take no option utf8val=: use " \
	"/etc/utf8val.conf, or utf8val-guard set"

/*
 * A finding. The status is STATUS_GOOD: the guard is active; STATUS_BAD: it is
 * not; STATUS_TROUBLE: unknown, because the self-test cannot run.
 */
struct finding {
	enum status status;
	bool built_in;		/* active by the kernel's own option, without a guard */
	const char *word;	/* why not, for programs; NULL: active */
	char text[768];		/* for people, with what to do */
};

/*
 * Test a mount with utf8val=@mode. If that fails, wait for a start or stop that
 * runs, and test again. @locked: the caller has the lock of pins_lock().
 */
struct finding guard_active(const char *mode, bool locked);

/*
 * The same for a command that needs the guard. Returns: STATUS_GOOD, or after a complaint
 * the status to exit with.
 */
enum status guard_active_needed(const char *mode, bool locked);

/*
 * Find out what it means that there are no pins. The kernel unloads programs a
 * moment after their pins are gone; @wait: wait for that.
 */
struct finding active_without_pins(bool wait);

#endif /* UTF8VAL_GUARD_ACTIVE_H */
