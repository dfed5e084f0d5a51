// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * stop: say what loses its protection, and remove programs and maps. The
 * program that takes the option goes first; then a mount in progress that was
 * told "taken" is waited for.
 */
#include <stdio.h>
#include <string.h>

#include "guard_command.h"
#include "in_force.h"
#include "kept_modes.h"
#include "mark_list.h"
#include "pins.h"
#include "try_option.h"

int stop_main(char **args)
{
	struct pins_dir dirs[16];
	size_t count;
	bool now = *args && !strcmp(*args, "--now");
	bool good = true;
	long mounting;
	int locked;

	if (*args && (!now || args[1])) {
		complain("stop takes --now and nothing else");
		return STATUS_TROUBLE;
	}
	if (!is_root())
		return STATUS_TROUBLE;
	locked = pins_lock(false);
	if (locked < 0)
		return STATUS_TROUBLE;
	if (!locked) {
		struct finding finding = in_force_without_pins(false);

		if (finding.status == STATUS_TROUBLE) {
			complain("%s", finding.text);
			return STATUS_TROUBLE;
		}
		puts("guard: not in force");
		return STATUS_GOOD;
	}
	pins_check_mounts();
	count = pins_dirs(dirs, 16);
	for (size_t i = 0; i < count && i < 16; i++)
		pins_note(dirs[i].name, PROGRAM_OPTION);
	for (size_t i = 0; i < count && i < 16; i++)
		pins_refuse_option(dirs[i].name);
	if (!pins_wait(now) && !now) {
		complain("%s", option_is_taken() ?
			 "another process, or a pin elsewhere, holds the program "
			 "that takes utf8val=, and mounts still have it; when "
			 "that is gone, run utf8val-guard stop again" :
			 "no more mounts with utf8val= are taken; run "
			 "utf8val-guard stop again, or utf8val-guard start to "
			 "stay in force");
		return STATUS_TROUBLE;
	}
	mounting = pins_wait_mounts();
	if (mounting && !now) {
		complain("%ld mounts with utf8val= are in progress, and would go "
			 "on unguarded; no more of them are taken. Run "
			 "utf8val-guard stop again when they are done, or stop "
			 "--now, or utf8val-guard start to stay in force",
			 mounting);
		return STATUS_TROUBLE;
	}
	marks_tell_lost();
	/* if that fails, the modes are lost, and it has complained */
	kept_modes_write();
	for (size_t i = 0; i < count && i < 16; i++)
		pins_note(dirs[i].name, NULL);
	for (size_t i = 0; i < count && i < 16; i++)
		good = pins_remove_dir(dirs[i].name) && good;
	good = pins_remove_maps() && good;
	good = pins_remove_root() && good;
	good = pins_wait(now) && good;
	if (good)
		puts("guard: no longer in force");
	return good ? STATUS_GOOD : STATUS_TROUBLE;
}
