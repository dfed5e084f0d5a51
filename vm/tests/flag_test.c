// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The alternative to the module that the series' cover letter speaks of: the mount
 * option utf8names, by which the VFS checks new names (sketch-vfs-flag.txt).
 *
 * Runs as root, started with FS=none; the arguments are file system types, /dev/vda
 * and on the disks of those that need one.
 */
#include "ways.h"

#define WHERE "/w"
#define OLD WHERE "/old\xFF"

static void on_and_off(const char *type, const char *device)
{
	tap_is(do_mount(type, device, WHERE, ""), 0, "%s: without the flag", type);
	every_way(WHERE, 0, type, "without the flag");
	do_create(OLD);
	tap_is(do_remount(WHERE, "utf8names"), 0, "%s: a remount sets the flag", type);
	tap(shown(WHERE, ",utf8names"), "%s: which is shown", type);
	every_way(WHERE, -EILSEQ, type, "with the flag");
	tap_is(err(rename(OLD, OLD "2")), -EILSEQ, "%s: an old name, to a bad one", type);
	tap_is(err(rename(OLD, WHERE "/good")), 0, "%s: an old name, to a good one", type);
	tap_is(do_remount(WHERE, "noutf8names"), 0, "%s: a remount clears the flag", type);
	every_way(WHERE, 0, type, "without the flag again");
	umount(WHERE);
	tap_is(do_fsmount(type, device, WHERE, "utf8names"), 0, "%s: by fsopen", type);
	every_way(WHERE, -EILSEQ, type, "by fsopen");
	umount(WHERE);
}

int main(int argc, char **argv)
{
	on_each(argv + (argc > 0), on_and_off);
	return tap_end();
}
