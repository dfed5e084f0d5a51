// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* stop: say what loses its protection, and take everything away. */
#include <unistd.h>

#include "command.h"

int stop_main(char **args)
{
	struct pins_dir dirs[16];
	size_t count;
	bool good = true;

	if (*args) {
		complain("stop takes no arguments");
		return STATUS_TROUBLE;
	}
	if (!pins_lock())
		return STATUS_TROUBLE;
	if (access(PINS, F_OK)) {
		puts("guard: not in force");
		return STATUS_GOOD;
	}
	marks_tell_lost();
	count = pins_dirs(dirs, 16);
	for (size_t i = 0; i < count && i < 16; i++)
		pins_note(dirs[i].name);
	for (size_t i = 0; i < count && i < 16; i++)
		good = pins_remove_dir(dirs[i].name) && good;
	good = pins_remove_maps() && good;
	good = pins_remove_root() && good;
	good = pins_wait() && good;
	if (good)
		puts("guard: no longer in force");
	return good ? STATUS_GOOD : STATUS_TROUBLE;
}
