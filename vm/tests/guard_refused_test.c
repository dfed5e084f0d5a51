// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The guard on a machine that cannot have it: the command fails, says what would change
 * that, and leaves nothing behind. Arguments: what is missing, and what the command has
 * to say about it. vm/run.py runs this in a virtual machine.
 *
 * Runs as root, started with FS=none.
 */
#include "command.h"
#include "fs.h"
#include "tap.h"

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: guard_refused_test WHAT TEXT\n");
		return 2;
	}
	tap_is(run("start"), 2, "%s: start fails", argv[1]);
	tap(it_said(argv[2]), "%s: says what would change that: %s", argv[1], argv[2]);
	tap(access(PINS, F_OK), "%s: leaves no pins", argv[1]);
	tap_is(mount_tmpfs("/t", "utf8val=enforce"), -EINVAL,
	       "%s: the option is refused", argv[1]);
	tap_is(run("status"), 1, "%s: status fails", argv[1]);
	tap(it_said("not active"), "%s: and says so", argv[1]);
	return tap_end();
}
