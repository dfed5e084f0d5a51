// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Give the option to a context that is never mounted. */
#include <linux/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "try_option.h"

bool set_option(int fs, const char *mode)
{
	return !syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, "utf8val", mode,
			0);
}

bool option_is_taken(void)
{
	int fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
	bool taken = fs >= 0 && set_option(fs, "off");

	if (fs >= 0)
		close(fs);
	return taken;
}
