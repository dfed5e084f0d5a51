// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* stop: say what loses its protection, and take everything away. */
#include <unistd.h>

#include "command.h"

int stop_main(char **args)
{
	struct pins_dir dirs[16];
	struct mark *marks;
	size_t count;
	long marked;
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
	marked = marks_read(&marks);
	for (long i = 0; i < marked; i++) {
		if (marks[i].value.mode < GUARD_AUDIT)
			continue;
		printf("no longer %s: %u:%u %s ",
		       marks[i].value.mode == GUARD_ENFORCE ? "enforced" :
							      "audited",
		       marks[i].value.dev >> 20,
		       marks[i].value.dev & 0xFFFFF, marks[i].value.type);
		print_safe(stdout, marks[i].point ? marks[i].point :
					    "(not in this mount namespace)");
		putchar('\n');
	}
	count = pins_dirs(dirs, 16);
	for (size_t i = 0; i < count && i < 16; i++)
		pins_note(dirs[i].name);
	for (size_t i = 0; i < count && i < 16; i++)
		good = pins_remove_dir(dirs[i].name) && good;
	good = pins_remove_maps() && good;
	good = pins_wait() && good;
	if (good)
		puts("guard: no longer in force");
	return good ? STATUS_GOOD : STATUS_TROUBLE;
}
