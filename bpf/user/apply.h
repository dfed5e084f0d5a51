/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Apply the modes of the policy file. set.c and start.c call it. */
#ifndef UTF8VAL_GUARD_APPLY_H
#define UTF8VAL_GUARD_APPLY_H

#include <stdbool.h>

#include "guard_command.h"
#include "bpf/shared/guard_maps.h"

/* How a command that changes modes reports. */
struct report_options {
	bool dry_run;	/* change nothing, and report what would be changed */
	bool changed;	/* the exit status tells whether anything was changed */
	bool json;
};

/*
 * Take one of these options. Returns: is it one?
 */
bool report_option(const char *arg, struct report_options *options);

/* Print a superblock whose mode was changed, or would be. @count: how many were before it. */
void report_change(const struct guard_seen *seen, const struct report_options *options,
		   unsigned int count);

/*
 * Read the policy file into the pinned map, and walk over all superblocks. The caller has
 * the lock of pins_lock(). *@changes: how many superblocks were changed is added to it.
 * Returns: STATUS_GOOD; STATUS_BAD after a complaint: not all have the policy's mode;
 * STATUS_TROUBLE after a complaint: the policy is as it was.
 */
enum status policy_apply(enum guard_walk how, const struct report_options *options,
			 unsigned int *changes);

#endif /* UTF8VAL_GUARD_APPLY_H */
