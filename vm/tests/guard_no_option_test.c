// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The guard on a kernel in which no BPF program can accept a mount option. Bad names
 * are still refused where the mode is set. vm/run.py runs this in a virtual machine.
 *
 * Runs as root, started with FS=none; the guard is one whose program for the option
 * does as such a kernel would have it do.
 */
#include "policy.h"

#define NO_OPTION "this kernel lets mounts take no option"

/* A mount is guarded before anybody can see it. */
static void test_before_attached(void)
{
	int context = fs_open("tmpfs"), mount, result;

	tap_is(fs_command(context, FSCONFIG_CMD_CREATE), 0, "early: a mount");
	mount = (int)syscall(SYS_fsmount, context, 0, 0);
	tap_is(run("set", "enforce", text_of("/proc/self/fd/%d", mount)), 0,
	       "early: its mode is set");
	mkdir("/early", 0755);
	result = err(syscall(SYS_move_mount, mount, "", AT_FDCWD, "/early",
			     MOVE_MOUNT_F_EMPTY_PATH));
	tap_is(result, 0, "early: then it is attached");
	tap_is(do_create("/early/" BAD), -EILSEQ, "early: and enforced");
	close(mount);
	close(context);
	umount("/early");
}

/* The policy does without the option. */
static void test_policy(void)
{
	mkdir("/etc", 0755);
	tap_is(apply("enforce TYPE=ramfs\n"), 0, "policy: a line");
	tap_is(do_mount("ramfs", "none", "/ram", ""), 0, "policy: a mount without the option");
	tap_is(make_bad("/ram"), -EILSEQ, "policy: has the line's mode");
	tap_is(run("set", "--keep", "audit", "/ram"), 0, "policy: another line");
	tap_is(make_bad("/ram"), 0, "policy: which has its effect at once");
	umount("/ram");
	do_mount("ramfs", "none", "/ram", "");
	tap_is(run("status"), 0, "policy: all is as asked at the next mount");
	tap(it_said("\naudit\t") && it_said("\tramfs\tpolicy\t"), "policy: which has it, too");
	umount("/ram");
	apply("");
}

int main(void)
{
	tap_is(run("start"), 0, "no option: start");
	tap(it_said("guard: active") && it_said(NO_OPTION) &&
	    it_said("/etc/utf8val.conf"), "no option: says what to do instead");
	tap_is(run("status"), 0, "no option: status");
	tap(it_said(NO_OPTION), "no option: says so, too");
	tap_is(mount_tmpfs("/t", "utf8val=enforce"), -EINVAL,
	       "no option: the option is refused");
	mount_tmpfs("/t", "");
	tap_is(do_create("/t/" BAD), 0, "no option: a mount without it");
	unlink("/t/" BAD);
	tap_is(run("set", "enforce", "/t"), 0, "no option: set");
	tap_is(do_create("/t/" BAD), -EILSEQ, "no option: is enforced");
	tap_is(run("start"), 0, "no option: start again");
	tap(it_said("active already"), "no option: changes nothing");
	test_before_attached();
	test_policy();
	if (!put("/proc/sys/kernel/ftrace_enabled", "0")) {
		tap_is(run("status"), 1, "no option: switched off");
		tap(it_said("kernel.ftrace_enabled=1"), "no option: says by what");
		put("/proc/sys/kernel/ftrace_enabled", "1");
	}
	tap_is(run("stop"), 0, "no option: stop");
	tap_is(do_create("/t/" BAD), 0, "no option: which it is");
	unlink("/t/" BAD);
	tap_is(run("start"), 0, "no option: and start");
	tap_is(do_create("/t/" BAD), -EILSEQ, "no option: gives the mode back");
	umount("/t");
	return tap_end();
}
