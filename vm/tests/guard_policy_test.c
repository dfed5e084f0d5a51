// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The policy: the modes of file systems at a mount, when the file is applied, and when
 * the guard starts. vm/run.py runs this in a virtual machine.
 *
 * Runs as root, started with FS=none, --guard and an ext4 as /dev/vda.
 */
#include <sched.h>

#include "policy.h"

static int mount_in_namespace(const char *where)
{
	if (!own_mounts() || do_mount("ext4", "/dev/vda", where, ""))
		return 127;
	return do_create(text_of("%s/" BAD, where)) != -EILSEQ;
}

/* A file system has its mode before anybody can create a name on it. */
static void test_mount(void)
{
	tap_is(apply(text_of("enforce UUID=%s\n", uuid)), 0, "policy: a line by UUID");
	for (int i = 0; i < 2; i++) {
		tap_is(do_mount("ext4", "/dev/vda", "/disk", ""), 0, "policy: a mount%s",
		       i ? ", again" : "");
		tap_is(make_bad("/disk"), -EILSEQ, "policy: is enforced at once");
		tap(shown("/disk", ",utf8val=enforce"), "policy: which status shows");
		umount("/disk");
	}
	tap_is(do_fsmount("ext4", "/dev/vda", "/disk", ""), 0, "policy: by fsmount(2)");
	tap_is(make_bad("/disk"), -EILSEQ, "policy: on a disk as well");
	umount("/disk");
	tap_is(by_child(0, mount_in_namespace, "/disk"), 0,
	       "policy: in another mount namespace as well");
	mount_tmpfs("/other", "");
	tap_is(make_bad("/other"), 0, "policy: another file system is not enforced");
	umount("/other");
	tap_is(apply(text_of("audit UUID=\"%s\" # ends\n\nenforce TYPE=ext4\n", uuid)), 0,
	       "policy: a line by UUID and one by type");
	do_mount("ext4", "/dev/vda", "/disk", "");
	tap(shown("/disk", ",utf8val=audit"), "policy: the UUID comes first");
	umount("/disk");
	tap_is(apply("off default\nenforce TYPE=ext4\n"), 0, "policy: a type");
	do_mount("ext4", "/dev/vda", "/disk", "");
	tap(shown("/disk", ",utf8val=enforce"), "policy: by type");
	umount("/disk");
	tap_is(apply("enforce default\noff TYPE=ramfs\n"), 0, "policy: a default");
	do_mount("ext4", "/dev/vda", "/disk", "");
	mount_tmpfs("/other", "");
	do_mount("ramfs", "none", "/ram", "");
	tap_is(make_bad("/disk"), -EILSEQ, "policy: ext4 by default");
	tap_is(make_bad("/other"), -EILSEQ, "policy: tmpfs by default");
	tap_is(make_bad("/ram"), 0, "policy: a type may be off");
	tap_is(make_bad("/"), -EILSEQ, "policy: what was mounted before is enforced, too");
	run("status");
	tap(!strstr(output, " proc") && !strstr(output, "\tproc\t"),
	    "policy: by default, types that cannot have a mode have none");
	tap_is(do_mount("mqueue", "none", "/queues", ""), 0, "policy: message queues");
	tap_is(make_bad("/queues"), -EILSEQ, "policy: which the kernel mounts before anybody");
	umount("/queues");
	umount("/ram");
	umount("/other");
	umount("/disk");
	tap_is(apply(""), 0, "policy: no lines any more");
	tap_is(make_bad("/"), 0, "policy: what had its mode by one is free again");
}

/* utf8val= of a mount wins, and so does utf8val-guard set until the file is applied. */
static void test_wins(void)
{
	apply("enforce TYPE=tmpfs\n");
	mount_tmpfs("/other", "utf8val=audit");
	tap(shown("/other", ",utf8val=audit"), "wins: the option of a mount");
	tap_is(run("status"), 1, "wins: which is less than the file asks for");
	tap(it_said("\ttmpfs\toption\t-\t/other\n") &&
	    it_said(":1 asks for enforce, and the mode is audit by the mount's own option"),
	    "wins: which status shows as such");
	do_create("/etc/fstab");
	put("/etc/fstab", "none /other tmpfs utf8val=audit 0 0\n");
	tap_is(run("status"), 0, "wins: unless fstab asks for it, too");
	unlink("/etc/fstab");
	tap_is(run("apply"), 0, "wins: apply");
	tap(it_said("which wins") && shown("/other", ",utf8val=audit"),
	    "wins: leaves it, and says so");
	umount("/other");
	mount_tmpfs("/other", "");
	tap_is(do_remount("/other", "utf8val=off"), 0, "wins: a remount");
	tap_is(make_bad("/other"), 0, "wins: with the option");
	umount("/other");
	mount_tmpfs("/other", "");
	tap_is(run("set", "off", "/other"), 0, "wins: set");
	tap_is(make_bad("/other"), 0, "wins: over the policy");
	tap_is(run("start"), 0, "wins: a second start");
	tap_is(make_bad("/other"), 0, "wins: leaves it");
	tap_is(run("apply", "--dry-run", "--changed"), 3, "wins: apply --dry-run --changed");
	tap(it_said("would be enforce (was off): ") && it_said("/other"),
	    "wins: says what it would do");
	tap_is(make_bad("/other"), 0, "wins: and does not");
	tap_is(run("apply", "--changed", "--json"), 3, "wins: apply --changed");
	tap(it_said("\"before\": \"off\", \"mode\": \"enforce\"") &&
	    it_said("\"path\": {\"text\":\"/other\"}"),
	    "wins: says in JSON what it did");
	tap_is(make_bad("/other"), -EILSEQ, "wins: set ends with apply");
	tap_is(run("apply", "--changed"), 0, "wins: apply again changes nothing");
	umount("/other");
	apply("");
}

/* Give each mark the source that marks of a guard without a policy have. */
static void make_older(void)
{
	union bpf_attr attr = { .pathname = (uintptr_t)PINS "/marks" };
	int fd = bpf_call(BPF_OBJ_GET, &attr), marks = 0;
	struct guard_mark mark;
	__u64 key, last = 0;

	for (;;) {
		attr = (union bpf_attr){ .map_fd = (__u32)fd, .key = (uintptr_t)&last,
					 .next_key = (uintptr_t)&key };
		if (bpf_call(BPF_MAP_GET_NEXT_KEY, &attr))
			break;
		last = key;
		attr = (union bpf_attr){ .map_fd = (__u32)fd, .key = (uintptr_t)&key,
					 .value = (uintptr_t)&mark };
		if (bpf_call(BPF_MAP_LOOKUP_ELEM, &attr))
			break;
		mark.source = GUARD_FROM_OLDER;
		attr.flags = BPF_EXIST;
		marks += !bpf_call(BPF_MAP_UPDATE_ELEM, &attr);
	}
	close(fd);
	tap(marks, "older: marks of a guard without a policy");
}

static void test_older(void)
{
	mount_tmpfs("/other", "utf8val=audit");
	make_older();
	conf("enforce TYPE=tmpfs\n");
	tap_is(run("start"), 0, "older: a start");
	tap(it_said("by an older guard: ") && it_said(". Run: utf8val-guard apply\n"),
	    "older: says so");
	tap_is(run("apply", "--dry-run"), 0, "older: apply --dry-run");
	tap(it_said("would be enforce (was audit): "), "older: what it would do");
	tap_is(run("apply"), 0, "older: apply");
	tap_is(make_bad("/other"), -EILSEQ, "older: changes the mode");
	umount("/other");
	apply("");
}

/* Covered by another mount, and in another namespace only. */
static int covered_is_enforced(const char *where)
{
	int kept = open(where, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd;

	if (do_mount("ramfs", "none", where, ""))
		return 127;
	if (apply("enforce TYPE=tmpfs\n"))
		return 126;
	fd = openat(kept, BAD, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd >= 0 || errno != EILSEQ || make_bad(where))
		return 125;
	run("status");
	return !it_said("/cover (hidden by another mount)");
}

static void test_reached(void)
{
	pid_t apart;

	mount_tmpfs("/cover", "");
	tap_is(by_child(0, covered_is_enforced, "/cover"), 0,
	       "reached: what another mount covers, and not that");
	umount("/cover");
	umount("/cover");
	apply("");
	mount_tmpfs("/cover", "");
	do_mount("ramfs", "none", "/cover", "");
	tap_is(run("set", "audit", "/cover"), 0, "reached: set, where one covers another");
	tap(it_said("covers another one") && it_said("ramfs"), "reached: says which it sets");
	umount("/cover");
	tap(!shown("/cover", "utf8val="), "reached: and not the other");
	umount("/cover");
	apart = mount_apart("/alone", "");
	tap(apart > 0, "reached: a mount in another namespace");
	tap_is(apply("enforce TYPE=tmpfs\n"), 0, "reached: apply");
	tap(it_said("(not in this mount namespace)"), "reached: names it");
	tap_is(create_apart(apart), -EILSEQ, "reached: which is enforced");
	apply("");
}

static int own_tmpfs(const char *where)
{
	if (!enter_namespace() || mount_tmpfs(where, ""))
		return 127;
	return -do_create(text_of("%s/" BAD, where));
}

static void test_namespaces(void)
{
	apply("enforce default\n");
	mkdir("/own", 0777);
	tap_is(by_child(0, own_tmpfs, "/own"), 0, "users: a user namespace's own is left alone");
	apply("");
}

/*
 * A removal is recorded until the file system is unmounted. The next file system on the
 * device has the same device number. The root of each ext4 has the same inode number
 * and generation.
 */
static void test_replaced(void)
{
	struct stat first, second;

	do_mount("ext4", "/dev/vda", "/disk", "");
	do_create("/disk/" BAD);
	apply(text_of("enforce UUID=%s\n", uuid));
	tap_is(stat("/disk", &first), 0, "replaced: a file system");
	tap_is(do_unlink("/disk/" BAD), 0, "replaced: a bad name is removed");
	tap_is(do_create("/disk/" BAD), 0, "replaced: and comes back");
	tap_is(do_unlink("/disk/" BAD), 0, "replaced: it is removed again");
	umount("/disk");
	do_mount("ext4", "/dev/vda", "/disk", "");
	tap(!stat("/disk", &second) && first.st_dev == second.st_dev &&
	    first.st_ino == second.st_ino, "replaced: the next one has the same numbers");
	tap_is(do_create("/disk/" BAD), -EILSEQ, "replaced: where it does not come back");
	umount("/disk");
	apply("");
}

/* Delete the line for a UUID from the pinned map, as no command does. */
static bool delete_line(void)
{
	union bpf_attr attr = { .pathname = (__u64)PINS "/policy" };
	struct guard_what what = { .kind = GUARD_WHAT_UUID };
	int fd = (int)syscall(SYS_bpf, BPF_OBJ_GET, &attr, sizeof(attr));

	memcpy(what.type, uuid_bytes, sizeof(uuid_bytes));
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (__u32)fd;
	attr.key = (__u64)&what;
	return fd >= 0 && !syscall(SYS_bpf, BPF_MAP_DELETE_ELEM, &attr, sizeof(attr));
}

/* Start reports what it lowers if no line was removed, and succeeds if one was. */
static void test_lowered(void)
{
	do_mount("ext4", "/dev/vda", "/disk", "");
	apply(text_of("enforce UUID=%s\n", uuid));
	conf("");
	tap_is(run("start"), 0, "lowered: a line was removed");
	tap(it_said("unset (was enforce): "), "lowered: start says what it lowers");
	apply(text_of("enforce UUID=%s\n", uuid));
	conf("");
	tap(delete_line(), "lowered: the policy has no line, and none was removed");
	tap_is(run("start"), 1, "lowered: start fails");
	tap(it_said("enforce is lost, although no line") && it_said(uuid),
	    "lowered: and names what it lowers");
	umount("/disk");
	apply("");
}

/* At boot, a wrong line does not leave unguarded what the other lines name. */
static void test_typing_error(void)
{
	run("stop", "--forget");
	conf("enforce TYPE=ext4\noff UUID=1234-5678\nenforce TYPE=tmpfs\n");
	do_mount("ext4", "/dev/vda", "/disk", "");
	tap_is(run("start"), 1, "error: start with a wrong line");
	tap(it_said(CONF ":2: ") && it_said("only the other lines are applied"), "error: says so");
	tap_is(make_bad("/disk"), -EILSEQ, "error: a good line before it is applied");
	mount_tmpfs("/other", "");
	tap_is(make_bad("/other"), -EILSEQ, "error: and one after it");
	conf("enforced TYPE=ext4\n");
	run("stop");
	tap_is(run("start"), 1, "error: start again, with another wrong line");
	tap_is(make_bad("/disk"), -EILSEQ, "error: takes nothing away");
	umount("/other");
	umount("/disk");
	apply("");
}

/* The programs that are called at boot find the file, and what is mounted by then. */
static void test_start(void)
{
	run("stop");
	conf(text_of("enforce UUID=%s\n", uuid));
	do_mount("ext4", "/dev/vda", "/disk", "");
	tap_is(make_bad("/disk"), 0, "start: not yet");
	tap_is(run("apply"), 1, "start: apply without a guard");
	tap(it_said("utf8val-guard start"), "start: says what to run");
	tap_is(run("start"), 0, "start");
	tap(it_said("enforce (was unset): ") && it_said(uuid) && it_said("/disk"),
	    "start: says what has its mode now");
	tap_is(make_bad("/disk"), -EILSEQ, "start: which has it");
	umount("/disk");
	do_mount("ext4", "/dev/vda", "/disk", "");
	tap_is(make_bad("/disk"), -EILSEQ, "start: and has it the next time");
	umount("/disk");
	apply("");
}

int main(void)
{
	mkdir("/etc", 0755);
	read_uuid();
	test_mount();
	test_wins();
	test_older();
	test_reached();
	test_namespaces();
	test_replaced();
	test_lowered();
	test_typing_error();
	test_start();
	return tap_end();
}
