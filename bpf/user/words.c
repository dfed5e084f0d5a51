// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Modes and operations, as users write and read them. */
#include <string.h>

#include "bpf/shared/guard_maps.h"
#include "words.h"

static const char *const modes[GUARD_MODES] = {
	[GUARD_UNSET] = "unset",
	[GUARD_OFF] = "off",
	[GUARD_AUDIT] = "audit",
	[GUARD_ENFORCE] = "enforce",
};

static const char *const ops[GUARD_OPS] = {
	[GUARD_CREATE] = "create",
	[GUARD_LINK] = "link",
	[GUARD_SYMLINK] = "symlink",
	[GUARD_MKDIR] = "mkdir",
	[GUARD_MKNOD] = "mknod",
	[GUARD_RENAME] = "rename",
	[GUARD_SUBVOLUME] = "subvolume",
};

const char *mode_name(unsigned int mode)
{
	return mode < GUARD_MODES ? modes[mode] : "unknown";
}

const char *op_name(unsigned int op)
{
	return op < GUARD_OPS ? ops[op] : "unknown";
}

int mode_parse(const char *name)
{
	for (int i = GUARD_OFF; i < GUARD_MODES; i++)
		if (!strcmp(modes[i], name))
			return i;
	return GUARD_UNSET;
}
