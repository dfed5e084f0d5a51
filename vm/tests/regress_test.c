// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Nothing else breaks. stress-ng's file system stressors, which check their own work,
 * end the same way with enforce and without the option. (pjdfstest and xfstests would
 * do as well, but Debian has neither.) vm/run.py runs this in a virtual machine.
 *
 * Runs as root, started with FS=none, /dev/vda is ext4. /usr/bin/stress-ng and
 * its libraries are in the machine.
 */
#include "fs.h"
#include "names.h"
#include "tap.h"

#define WHERE "/w"

/*
 * A stressor, the number of its operations, and an option for it. The stressor
 * "filename" uses POSIX's portable letters, because utf8val= refuses some other bytes.
 */
static const char *const stressors[][3] = {
	{ "filename", "200", "--filename-opts=posix" },
	{ "dir", "200", NULL },
	{ "dirdeep", "20", NULL },
	{ "dirmany", "200", NULL },
	{ "dentry", "200", NULL },
	{ "rename", "200", NULL },
	{ "link", "1", NULL },
	{ "symlink", "1", NULL },
	{ "touch", "50", NULL },
};

/* stress-ng's exit status, or minus the number of the signal that ended it. */
static int run(const char *const stressor[3])
{
	const char *const args[] = {
		text_of("--%s", stressor[0]), "1",
		text_of("--%s-ops", stressor[0]), stressor[1],
		"--temp-path", WHERE, "--verify", "--timeout", "3000",
		stressor[2], NULL
	};
	char said[1 << 14] = "";

	return guard_run("/usr/bin/stress-ng", args, said, sizeof(said), false);
}

static void both(const char *fs, const char *device, const char *const stressor[3])
{
	int without, with;

	do_mount(fs, device, WHERE, "");
	without = run(stressor);
	umount(WHERE);
	do_mount(fs, device, WHERE, "utf8val=enforce");
	with = run(stressor);
	tap(shown(WHERE, "utf8val=enforce"), "%s: enforced", fs);
	umount(WHERE);
	tap_is(without, 0, "%s: stress-ng --%s without the option", fs, stressor[0]);
	tap_is(with, without, "%s: stress-ng --%s %s with enforce", fs,
	       stressor[0], stressor[2] ? stressor[2] : "");
}

int main(void)
{
	mkdir("/dev/shm", 01777);
	mount_tmpfs("/dev/shm", "");
	for (size_t i = 0; i < ARRAY_SIZE(stressors); i++) {
		both("tmpfs", "none", stressors[i]);
		both("ext4", "/dev/vda", stressors[i]);
	}
	return tap_end();
}
