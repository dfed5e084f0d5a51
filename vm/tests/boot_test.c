// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The kernel's command line: rootflags=utf8val= sets the mode of the root. The argument
 * is the mode that has to be active there. vm/run.py runs this in a virtual machine.
 *
 * Runs as root, started with FS=none.
 */
#include "fs.h"
#include "tap.h"

#define CLOCK "/sys/devices/system/clocksource/clocksource0/current_clocksource"

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "off";

	/* vm/run.py says why the HPET is the clock */
	tap(!strcmp(contents(CLOCK), "hpet\n"),
	    "vm: a busy host does not mislead the clock");
	tap_is(make_again("/" BAD), strcmp(mode, "enforce") ? 0 : -EILSEQ,
	       "12: the root: %s is active", mode);
	if (strcmp(mode, "off"))
		tap(shown("/", text_of(",utf8val=%s", mode)), "22: the root: and is shown");
	else
		tap(!shown("/", "utf8val"), "22: the root: and is not shown");
	return tap_end();
}
