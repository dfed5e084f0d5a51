/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef UTF8VAL_SHARED_STATUS_H
#define UTF8VAL_SHARED_STATUS_H

/*
 * The exit statuses of both commands, those of grep. guard_command.h and the command's
 * commands.h include this.
 */
enum status {
	STATUS_GOOD = 0,	/* nothing ill-formed was met; the guard is active */
	STATUS_BAD = 1,		/* something ill-formed was, or is left; it is not */
	STATUS_TROUBLE = 2,	/* something could not be read, done or found out */
	STATUS_CHANGED = 3,	/* asked for with --changed: done, and a mode was changed */
};

#endif /* UTF8VAL_SHARED_STATUS_H */
