// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the kernel's command line sets: utf8val.default= for superblocks without an
 * option, and rootflags=utf8val= for the root. The arguments name the modes that have to
 * be in force: first that of new superblocks, then that of the root.
 *
 * Runs as root, started with FS=none.
 */
#include "fs.h"
#include "tap.h"

#define WHERE "/b"
#define CLOCK "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static void in_force(const char *where, const char *mode, const char *what)
{
	tap_is(make_again(text_of("%s/%s", where, BAD)),
	       strcmp(mode, "enforce") ? 0 : -EILSEQ, "26: %s: %s is in force", what, mode);
	if (strcmp(mode, "off"))
		tap(shown(where, text_of(",utf8val=%s", mode)), "22: %s: and is shown", what);
	else
		tap(!shown(where, "utf8val"), "22: %s: and is not shown", what);
}

int main(int argc, char **argv)
{
	const char *wanted = argc > 1 ? argv[1] : "off";

	/* vm/run.py says why the HPET is the clock */
	tap(!strcmp(contents(CLOCK), "hpet\n"),
	    "vm: a busy host does not mislead the clock");
	tap(!strcmp(contents("/sys/module/utf8val/parameters/default"),
		    text_of("%s\n", wanted)), "26: sysfs shows the default");
	mount_tmpfs(WHERE, "");
	in_force(WHERE, wanted, "a file system that says nothing");
	tap_is(do_remount(WHERE, ""), 0, "11: remount without the option");
	in_force(WHERE, wanted, "after it");
	umount(WHERE);
	mount_tmpfs(WHERE, "utf8val=audit");
	in_force(WHERE, "audit", "one that says audit");
	umount(WHERE);
	mount_tmpfs(WHERE, "utf8val=off");
	in_force(WHERE, "off", "one that says off");
	umount(WHERE);
	mount_tmpfs(WHERE, "");
	tap_is(mount_tmpfs(WHERE "2", "utf8val=enforce"), 0,
	       "12: another one says enforce");
	in_force(WHERE "2", "enforce", "that one");
	in_force(WHERE, wanted, "the first one");
	umount(WHERE "2");
	tap_is(do_remount(WHERE, "utf8val=enforce"), 0,
	       "16: a default gives way to a remount");
	in_force(WHERE, "enforce", "remounted");
	umount(WHERE);
	tap(!shown("/proc", "utf8val="), "41: proc has no mode by default");
	if (argc > 2)
		in_force("/", argv[2], "the root");
	return tap_end();
}
