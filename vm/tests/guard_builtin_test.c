// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The guard's command on a kernel that has the option built in. The command loads
 * nothing, and reports the kernel's modes like the guard's. vm/run.py runs this in a
 * virtual machine.
 *
 * Runs as root, started with FS=none; /sbin/utf8val-guard is the guard.
 */
#include "policy.h"

static bool is_refused(int status)
{
	return status == 2 && it_said("built in");
}

int main(void)
{
	mkdir("/etc", 0755);
	mount_tmpfs("/en force", "utf8val=enforce");
	mount_tmpfs("/audit", "utf8val=audit");
	mount_tmpfs("/none", "");
	tap_is(do_create("/en force/" BAD), -EILSEQ, "builtin: the kernel refuses a bad name");
	tap_is(run("status"), 0, "builtin: status");
	tap(it_said("guard: active by the kernel") && it_said("built in"), "builtin: says why");
	tap(it_said("\nenforce\t0:") && it_said("\ttmpfs\tkernel\t-\t/en force\n"),
	    "builtin: a mode, as those of a guard, and by whom");
	tap(it_said("\naudit\t0:") && it_said("\ttmpfs\tkernel\t-\t/audit\n"),
	    "builtin: another");
	tap(!strstr(output, "/none"), "builtin: and no others");
	tap_is(run("status", "/en force"), 0, "builtin: status of a path");
	tap(it_said("enforce\t/en force\n"), "builtin: has the mode");
	tap_is(run("status", "/audit", "/none"), 1, "builtin: of two others");
	tap(it_said("audit\t/audit\nunset\t/none\n"), "builtin: have theirs");
	tap_is(run("status", "--json"), 0, "builtin: in JSON");
	tap(it_said("\"in_force\": true") && it_said("\"source\": \"kernel\"") &&
	    it_said("\"counts\": null"), "builtin: no counts in JSON");
	tap_is(run("status", "--prometheus"), 0, "builtin: in numbers");
	tap(it_said("\nutf8val_guard_in_force 1\n") &&
	    it_said("mountpoint=\"/en force\",mode=\"enforce\"} 1\n"), "builtin: its mode");
	do_create("/etc/fstab");
	put("/etc/fstab", "none /en\\040force tmpfs utf8val=audit 0 0\n");
	tap_is(run("status"), 1, "builtin: fstab asks for another mode");
	tap(it_said("differs: /etc/fstab:1: utf8val=audit, and the mode is enforce: /en force"),
	    "builtin: says which");
	unlink("/etc/fstab");
	conf("enforce TYPE=tmpfs\n");
	tap_is(run("status", "--quiet"), 1, "builtin: a policy file");
	tap(it_said("does not read it"), "builtin: which the kernel does not read");
	unlink(CONF);
	tap(is_refused(run("start")), "builtin: start is not needed");
	tap(is_refused(run("set", "audit", "/none")), "builtin: set says what to run");
	tap(it_said("mount -o remount,utf8val=MODE"), "builtin: a remount");
	tap(is_refused(run("enforce", "/none")), "builtin: enforce also fails");
	tap(is_refused(run("apply")), "builtin: apply also fails");
	run("log");
	tap(it_said("journalctl -k"), "builtin: log says where it is");
	tap_is(run("stop"), 0, "builtin: stop has nothing to do");
	tap_is(do_create("/en force/" BAD), -EILSEQ, "builtin: the mode is as it was");
	return tap_end();
}
