/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Where the guard's promise differs from that of the built-in option: the
 * tests' points by name (fnmatch(3), FNM_EXTMATCH), and what each gives
 * instead. The administrator's page lists the same differences.
 */
#ifndef UTF8VAL_VM_DEVIATIONS_H
#define UTF8VAL_VM_DEVIATIONS_H

#include <errno.h>
#include <fnmatch.h>

#include "guard.h"

struct deviation {
	const char *point;
	unsigned int until;	/* 1000 * major + minor; 0: no limit */
	long instead;		/* for a point that is true or false: false */
	const char *why;
};

static const char no_context_log[] =
	"a program cannot write to the log of a mount in progress";

static const char unseen[] =
	"this file system takes mount(2)'s options whole; fsconfig(2) works";

static const char no_waiting[] =
	"a program does not wait for memory that others may keep back";

static const char no_container[] = "owners of user namespaces are refused the option";

static const char not_asked[] =
	"NFS compares the kernel's own options alone; mount with nosharecache";

static const char too_early[] =
	"a program is called before the rest of a mount or remount, only";

static const struct deviation deviations[] = {
	{ "1: and says why in the context's log", 0, false, no_context_log },
	{ "12: btrfs, mount(2), !(none): mounts", 6008, -EINVAL,
	  unseen },
	{ "12: overlay, mount(2), !(none): mounts", 6005, -EINVAL,
	  unseen },
	{ "12: vfat, mount(2), !(none): mounts", 6011, -EINVAL,
	  unseen },
	{ "19: btrfs, *, a second mount, enforce", 6008, -EINVAL, unseen },
	{ "33: a subvolume's name that is not in memory", 0, -EFAULT,
	  no_waiting },
	{ "16: debugfs, @(off|enforce)", 6011, -EINVAL, unseen },
	{ "29: has not taken over off", 6011, false, unseen },
	{ "13: leaves the mode", 7000, false, too_early },
	{ "16: has lowered nothing", 0, 0, too_early },
	{ "17: and logged nothing", 0, false, too_early },
	{ "16: it is audited still", 0, -EILSEQ, too_early },
	{ "15: again, different", 0, -EBUSY, not_asked },
	{ "22: both are shown", 0, false, not_asked },
	{ "15: the other's submount does not share it", 0, -ENOENT, not_asked },
	{ "22: the other's is shown, too", 0, false, not_asked },
	{ "20: a container's root marks its @(tmpfs|overlay)", 0, -EPERM, no_container },
	{ "41: msdos cuts names", 0, -EOPNOTSUPP,
	  "no root file system is searched for after the guard has started" },
	{ "28: nor by exchange, which exfat lacks", 0, -EILSEQ,
	  "a program is called before the file system's own part of a rename" },
};

static inline const struct deviation *deviation_of(const char *point)
{
	const size_t count = sizeof(deviations) / sizeof(deviations[0]);

	for (size_t i = 0; guarded() && i < count; i++)
		if ((!deviations[i].until || linux_now() < deviations[i].until) &&
		    !fnmatch(deviations[i].point, point, FNM_EXTMATCH))
			return &deviations[i];
	return NULL;
}

/* Does mount(2) of this file system refuse the guard's option? */
static inline bool mount_refuses(const char *fs)
{
	char point[64];

	snprintf(point, sizeof(point), "12: %s, mount(2), off: mounts", fs);
	return deviation_of(point);
}

#endif /* UTF8VAL_VM_DEVIATIONS_H */
