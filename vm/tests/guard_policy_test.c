// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The policy file: which file systems get which mode, when they are mounted and when
 * the file is applied; and what is wrong with a file.
 *
 * Runs as root, started with FS=none, --guard, an ext4 as /dev/vda and another as /dev/vdb,
 * and the command as /bin/utf8val.
 */
#include <sched.h>

#include "command.h"
#include "fs.h"
#include "names.h"
#include "tap.h"

#define CONF "/etc/utf8val.conf"
/* where ext4 has its UUID: in the superblock, which is 1024 bytes from the start */
#define UUID_AT (1024 + 0x68)

static char uuid[37];
static unsigned char uuid_bytes[16];

static void read_uuid(void)
{
	int fd = open("/dev/vda", O_RDONLY | O_CLOEXEC);
	char *to = uuid;

	tap(pread(fd, uuid_bytes, sizeof(uuid_bytes), UUID_AT) == sizeof(uuid_bytes),
	    "policy: the disk's UUID");
	for (int i = 0; i < 16; i++)
		to += sprintf(to, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			      uuid_bytes[i]);
	close(fd);
}

static void conf(const char *text)
{
	int fd = open(CONF, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);

	if (write(fd, text, strlen(text)) < 0)
		printf("Bail out! %s: %s\n", CONF, strerror(errno));
	close(fd);
}

/* Write the file and apply it. Returns: the exit status. */
static int apply(const char *text)
{
	conf(text);
	return run("apply");
}

static int make_bad(const char *dir)
{
	int result = another_creates(text_of("%s/" BAD, dir));

	unlink(text_of("%s/" BAD, dir));
	return result;
}

static int mount_in_namespace(const char *where)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    do_mount("ext4", "/dev/vda", where, ""))
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
	run("status");
	tap(it_said("\ttmpfs\toption\t-\t/other\n"), "wins: which status shows as such");
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
	    it_said("\"path\": \"/other\""),
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
	tap(it_said("by an older guard. To change that, run: utf8val-guard apply"),
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
	int to[2], back[2];
	char byte = 0;
	pid_t child;

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
	if (pipe(to) || pipe(back))
		return;
	fflush(stdout);
	child = fork();
	if (!child) {
		if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount_tmpfs("/alone", "") || write(back[1], "", 1) != 1 ||
		    read(to[0], &byte, 1) != 1)
			_exit(127);
		_exit(-do_create("/alone/" BAD));
	}
	tap_is(read(back[0], &byte, 1), 1, "reached: a mount in another namespace");
	tap_is(apply("enforce TYPE=tmpfs\n"), 0, "reached: apply");
	tap(it_said("(not in this mount namespace)"), "reached: names it");
	tap_is(write(to[1], "", 1), 1, "reached: go on");
	tap_is(waitpid(child, (int *)&to, 0) == child ? -WEXITSTATUS(to[0]) : 0, -EILSEQ,
	       "reached: which is enforced");
	close(to[1]);
	close(back[0]);
	close(back[1]);
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

/* What is wrong with a file is told with the line, and nothing is changed. */
static void test_bad_file(void)
{
	static const struct {
		const char *text, *line, *why;
	} bad[] = {
		{ "enforced TYPE=tmpfs\n", ":1: \"enforced\"", "not a mode" },
		{ "\n# c\naudit\n", ":3: ", "for what?" },
		{ "audit LABEL=x\n", ":1: \"LABEL=x\"", "not one of UUID=" },
		{ "audit TYPE=tmpfs /srv\n", ":1: \"/srv\"", "nothing else" },
		{ "audit UUID=1234-ABCD\n", ":1: \"UUID=1234-ABCD\"", "32 hexadecimal digits" },
		{ "audit UUID=01234567-89ab-cdef-0123-456789abcdefa\n", ":1: ", "32 hexadecimal" },
		{ "audit UUID=\"01234567-89ab-cdef-0123-456789abcdef\n", ":1: ", "32 hexadecimal" },
		{ "audit UUID=00000000-0000-0000-0000-000000000000\n", ":1: ", "no file system" },
		{ "audit TYPE=\n", ":1: \"TYPE=\"", "not a type" },
		{ "audit TYPE=\xff\x1b[2J\n", ":1: \"TYPE=\\xff\\x1b[2J\"", "not a type" },
		{ "audit TYPE=proc\n", ":1: \"TYPE=proc\"", "can only be off" },
		{ "audit TYPE=abcdefghijklmnopqrstuvwxyzabcdef\n", ":1: ", "not a type" },
		{ "audit TYPE=tmpfs\n\nenforce TYPE=tmpfs\n", ":3: \"TYPE=tmpfs\"", "line 1" },
		{ "audit default\naudit default\n", ":2: \"default\"", "line 1" },
		{ "audit UUID=01234567-89ab-cdef-0123-456789abcdef\n"
		  "off UUID=01234567-89AB-CDEF-0123-456789ABCDEF\n", ":2: ", "line 1" },
	};

	mount_tmpfs("/other", "");
	apply("enforce TYPE=tmpfs\n");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		tap_is(apply(bad[i].text), 2, "bad: file %zu", i);
		tap(it_said(CONF) && it_said(bad[i].line) && it_said(bad[i].why),
		    "bad: file %zu, which line and why", i);
	}
	tap_is(apply("x y\nx y\nx y\nx y\nx y\nx y\nx y\nx y\nx y\nx y\nx y\n"), 2,
	       "bad: 11 lines");
	tap(it_said(":10: ") && it_said("what follows them is not read") &&
	    !strstr(output, ":11: "), "bad: of which ten are named");
	conf("x y\n");
	truncate(CONF, (1 << 20) + 1);
	tap_is(run("apply"), 2, "bad: more than 1 MiB");
	tap(it_said("is not read") && !strstr(output, ":1: "), "bad: is not read");
	tap_is(apply("audit TYPE=tmpfs\n\nenforce TYPE=tmpfs\n"), 2, "bad: two lines for one type");
	tap_is(make_bad("/other"), -EILSEQ, "bad: the modes are as they were");
	tap_is(run("start"), 1, "bad: start says so, too");
	tap(it_said("line 1") && it_said("the modes are as they were"), "bad: and what to do");
	umount("/other");
	mount_tmpfs("/other", "");
	tap_is(make_bad("/other"), -EILSEQ, "bad: the policy, too");
	umount("/other");
	unlink(CONF);
	mkdir(CONF, 0755);
	tap_is(run("apply"), 2, "bad: a directory in its place");
	tap(it_said("not a regular file"), "bad: says so");
	rmdir(CONF);
	symlink("/dev/full", CONF);
	tap_is(run("apply"), 2, "bad: a device in its place, which has no end");
	tap(it_said("not a regular file"), "bad: says so");
	unlink(CONF);
	tap_is(run("apply"), 0, "bad: no file is an empty one");
	tap_is(run("apply", "--quick"), 2, "bad: an argument");
}

static void put_fstab(const char *text)
{
	do_create("/etc/fstab");
	truncate("/etc/fstab", 0);
	put("/etc/fstab", text);
}

/* Status compares what is asked for with what holds. */
static void test_status(void)
{
	apply("enforce TYPE=ext4\n");
	do_mount("ext4", "/dev/vda", "/disk", "");
	tap_is(run("status"), 0, "status: all is as asked");
	tap(it_said(uuid) && !strstr(output, "differs"), "status: and which UUID it is");
	run("set", "off", "/disk");
	tap_is(run("status"), 1, "status: a mode by set");
	tap(it_said("differs: " CONF ":1 asks for enforce,") &&
	    it_said("and the mode is off by utf8val-guard set") && it_said("/disk"),
	    "status: differs from the policy");
	tap_is(run("status", "--prometheus"), 1, "status: in numbers");
	tap(it_said("mountpoint=\"/disk\",mode=\"off\"} 0\n") &&
	    it_said("\nutf8val_guard_differences 1\n"), "status: it is a 0");
	tap_is(run("status", "--quiet"), 1, "status: quietly");
	tap(it_said("asks for enforce"), "status: it is said all the same");
	tap_is(run("status", "--json"), 1, "status: in JSON");
	tap(it_said("\"source\": \"set\"") && it_said("\"asked\": \"enforce\""),
	    "status: as well");
	run("apply");
	tap_is(run("status", "--prometheus"), 0, "status: after apply");
	tap(it_said("mountpoint=\"/disk\",mode=\"enforce\"} 1\n") &&
	    it_said("\nutf8val_guard_differences 0\n"), "status: it is a 1");
	conf("audit TYPE=ext4\n");
	tap_is(run("status"), 1, "status: a file that was not applied");
	tap(it_said("asks for audit, and the mode is enforce"), "status: differs");
	conf("audit TYPE=ext4\naudit TYPE=ext4\n");
	tap_is(run("status", "--quiet"), 1, "status: a file with an error");
	tap(it_said(":2: ") && it_said("has an error"), "status: says that");
	conf("enforce TYPE=ext4\n");

	mount_tmpfs("/a b", "utf8val=audit");
	put_fstab("none /a\\040b/ tmpfs rw,utf8val=audit 0 0\n"
		  "none /not tmpfs noauto,utf8val=enforce 0 0\n");
	tap_is(run("status"), 0, "status: fstab is as asked");
	do_remount("/a b", "utf8val=off");
	tap_is(run("status"), 1, "status: it is not");
	tap(it_said("differs: /etc/fstab:1: utf8val=audit, and the mode is off: /a b"),
	    "status: says which line");
	do_remount("/a b", "utf8val=audit");
	do_mount("ramfs", "none", "/a b", "");
	tap_is(run("status"), 0, "status: what fstab asks for is covered by another mount");
	tap(it_said("/a b (hidden by another mount)"), "status: says so");
	umount("/a b");
	do_remount("/a b", "utf8val=off");
	do_mount("ramfs", "none", "/a b", "");
	run("set", "audit", "/a b");
	tap_is(run("status"), 1, "status: what covers it does not have its mode instead");
	tap(it_said("/etc/fstab:1: utf8val=audit, and the mode is off: /a b"),
	    "status: says which mode the line's file system has");
	umount("/a b");
	do_remount("/a b", "utf8val=audit");
	put_fstab("#\n none /a\\040b tmpfs utf8val=enforec\nnone /disk ext4 x-utf8val=audit\n"
		  "none /disk/ ext4 x-utf8val=enforce\nnone /not tmpfs x-utf8val=audit\n");
	tap_is(run("status"), 1, "status: a typing error in fstab");
	tap(it_said("/etc/fstab:2: utf8val=enforec is none of") &&
	    it_said("/etc/fstab:3: x-utf8val= has no effect") && !strstr(output, "fstab:4:") &&
	    !strstr(output, "fstab:5:"), "status: is told with its line");
	unlink("/etc/fstab");
	umount("/a b");
	umount("/disk");
	apply("");
	tap_is(run("status"), 0, "status: nothing is asked");
}

/* set --keep writes the line of a file system, and enforce does after a scan. */
static void test_keep(void)
{
	struct stat st;

	conf("# by hand\naudit TYPE=ramfs # stays");
	run("apply");
	do_mount("ext4", "/dev/vda", "/disk", "");
	mkdir("/disk/d", 0755);
	tap_is(run("set", "--keep", "audit", "/disk/d"), 2, "keep: not a mount point");
	tap(it_said("Run: utf8val-guard set --keep audit /disk\n"), "keep: says what to run");
	tap_is(run("set", "--keep", "--dry-run", "audit", "/disk"), 0, "keep: --dry-run");
	tap(it_said("would be audit (was unset): ") && it_said("/disk") &&
	    !strstr(contents(CONF), "UUID"), "keep: changes nothing");
	tap_is(run("set", "--keep", "--changed", "audit", "/disk"), 3, "keep: a mode");
	tap(it_said("audit (was unset): ") && it_said(uuid), "keep: says what is set");
	tap(!strcmp(contents(CONF), text_of("# by hand\naudit TYPE=ramfs # stays\n"
					    "audit UUID=%s\n", uuid)), "keep: and writes a line");
	tap_is(run("set", "--keep", "--changed", "audit", "/disk"), 0, "keep: again nothing");
	umount("/disk");
	do_mount("ext4", "/dev/vda", "/disk", "");
	tap(shown("/disk", ",utf8val=audit"), "keep: the next mount has it");
	conf(text_of("# by hand\naudit  UUID=%s\t# mine\n", uuid));
	mkdir("/etc/git", 0755);
	rename(CONF, "/etc/git/u");
	symlink("git/u", CONF);
	chmod("/etc/git/u", 0640);
	chown("/etc/git/u", 3, 4);
	tap_is(run("set", "--keep", "off", "/disk"), 0, "keep: a file behind a link");
	tap(!lstat(CONF, &st) && S_ISLNK(st.st_mode), "keep: the link stays");
	tap(!stat(CONF, &st) && (st.st_mode & 07777) == 0640 && st.st_uid == 3 && st.st_gid == 4,
	    "keep: and the file's owner and mode");
	tap(!strcmp(contents(CONF), text_of("# by hand\noff UUID=%s # mine\n", uuid)),
	    "keep: and the line's comment");
	unlink(CONF);
	unlink("/etc/git/u");
	rmdir("/etc/git");
	conf("# by hand\n");
	tap_is(run("set", "--keep", "audit", "/disk"), 0, "keep: as it was before");
	mount_tmpfs("/etc", "ro");
	tap_is(run("set", "--keep", "off", "/disk"), 2, "keep: no place for the line");
	tap(it_said("Read-only file system") && it_said("it is as it was"), "keep: says so");
	tap(shown("/disk", ",utf8val=audit"), "keep: and the mode is as it was, too");
	umount("/etc");
	run("apply");

	do_create("/disk/d/" BAD);
	tap_is(run("enforce", "/disk/d"), 2, "enforce: not a mount point");
	tap_is(run("enforce", "/disk"), 1, "enforce: there is a bad name");
	tap(it_said("1 ill-formed") && it_said("utf8val fix --apply /disk\n") &&
	    it_said("--rest=escape /disk\n") && shown("/disk", ",utf8val=audit"),
	    "enforce: what to do about it, and nothing is changed");
	tap_is(run("enforce", "--anyway", "/disk"), 0, "enforce: --anyway");
	tap(strstr(contents(CONF), text_of("\nenforce UUID=%s\n", uuid)) &&
	    !strstr(contents(CONF), "audit UUID"), "enforce: the line has the new mode");
	tap_is(make_bad("/disk"), -EILSEQ, "enforce: and the file system, too");
	tap_is(run("enforce", "--changed", "/disk"), 0, "enforce: what is enforced");
	tap(!strstr(output, "ill-formed"), "enforce: is not scanned");
	tap_is(run("enforce", "--scan", "/disk"), 1, "enforce: but with --scan");
	unlink("/disk/d/" BAD);
	tap_is(run("enforce", "--scan", "/disk"), 0, "enforce: no bad name");
	mount_tmpfs("/other", "");
	tap_is(run("enforce", "--once", "/other"), 0, "enforce: --once");
	tap(!strstr(contents(CONF), "tmpfs"), "enforce: writes no line");
	tap_is(make_bad("/other"), -EILSEQ, "enforce: for this mount alone");
	mount_tmpfs("/else", "");
	tap_is(run("enforce", "/other"), 0, "enforce: without a UUID");
	tap(it_said("TYPE=tmpfs is also for: ") && it_said(" /else"),
	    "enforce: for what else the line is");
	tap_is(make_bad("/else"), -EILSEQ, "enforce: which has the mode, too");
	tap_is(run("set", "--keep", "--dry-run", "off", "/other"), 2, "keep: --dry-run");
	tap(it_said("nothing is changed") && it_said("/else"), "keep: names what it would lower");
	tap_is(run("set", "--keep", "off", "/other"), 2, "keep: a line would lower another one");
	tap(it_said("nothing is changed") && it_said("/else"), "keep: says which");
	tap(make_bad("/other") == -EILSEQ && make_bad("/else") == -EILSEQ &&
	    strstr(contents(CONF), "enforce TYPE=tmpfs"), "keep: and changes nothing");
	tap_is(run("set", "--keep", "off", "/other", "/else"), 0, "keep: both are named");
	tap(!make_bad("/other") && !make_bad("/else"), "keep: both are changed");
	umount("/else");
	umount("/other");
	umount("/disk");
	mount_tmpfs("/other", "utf8val=off");
	rename("/bin/utf8val", "/bin/away");
	tap_is(run("enforce", "/other"), 2, "enforce: without the command");
	tap(it_said("utf8val is not installed"), "enforce: says so");
	rename("/bin/away", "/bin/utf8val");
	tap_is(run("enforce"), 2, "enforce: of what?");
	umount("/other");
	apply("");
}

/* Copy the disk, UUID and all, as a snapshot or a restored image has it. */
static bool copy_disk(void)
{
	int from = open("/dev/vda", O_RDONLY | O_CLOEXEC);
	int to = open("/dev/vdb", O_WRONLY | O_CLOEXEC);
	static char bytes[1 << 20];
	bool good = from >= 0 && to >= 0;
	ssize_t len = 1;

	while (good && (len = read(from, bytes, sizeof(bytes))) > 0)
		good = write(to, bytes, (size_t)len) == len;
	close(from);
	close(to);
	return good && !len;
}

/* A line by UUID is for each file system with that UUID. */
static void test_twins(void)
{
	tap(copy_disk(), "twins: a copy of the disk");
	do_mount("ext4", "/dev/vda", "/disk", "");
	do_mount("ext4", "/dev/vdb", "/other", "");
	tap_is(run("set", "--keep", "enforce", "/disk"), 0, "twins: enforce one");
	tap(it_said("is also for: ") && it_said("/other"), "twins: the other is named");
	tap_is(make_bad("/other"), -EILSEQ, "twins: and enforced");
	tap_is(run("set", "--dry-run", "--keep", "off", "/other"), 2,
	       "twins: lower one, --dry-run");
	tap(it_said("is also for: ") && it_said("/disk"), "twins: the other is named");
	tap_is(run("set", "--keep", "off", "/other"), 2, "twins: lower one");
	tap(it_said("nothing is changed: ") && it_said("without --keep"),
	    "twins: says what to run");
	tap(strstr(contents(CONF), text_of("enforce UUID=%s", uuid)), "twins: the line stays");
	tap_is(make_bad("/disk"), -EILSEQ, "twins: and the other is enforced still");
	tap_is(run("set", "off", "/other"), 0, "twins: without --keep");
	tap_is(make_bad("/other"), 0, "twins: one is off");
	tap_is(make_bad("/disk"), -EILSEQ, "twins: and the other is not");
	umount("/other");
	umount("/disk");
	apply("");
}

/*
 * A removal is remembered until the file system is unmounted: the next one on the device has
 * its number, and the root of each ext4 has the same inode number and generation.
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

#define UNMATCHED "names no file system that is mounted"
#define NO_TYPE "/proc/filesystems does not list this type"

/* A line that names nothing mounted is reported, as it may have a typing error. */
static void test_unmatched(void)
{
	do_mount("ext4", "/dev/vda", "/disk", "");
	tap_is(apply(text_of("# c\nenforce UUID=11111111-2222-3333-4444-555555555555\n"
			     "enforce TYPE=ext44\nenforce TYPE=ext4\noff UUID=%s\n", uuid)), 0,
	       "unmatched: lines that name nothing");
	tap(it_said(CONF ":2: UUID=11111111-2222-3333-4444-555555555555 " UNMATCHED "\n") &&
	    it_said(CONF ":3: TYPE=ext44 " UNMATCHED ", and " NO_TYPE "\n") &&
	    !strstr(output, ":4:") && !strstr(output, ":5:"), "unmatched: apply names them");
	tap_is(run("status"), 0, "unmatched: status");
	tap(it_said("unmatched: " CONF ":2: ") && it_said("unmatched: " CONF ":3: ") &&
	    !strstr(output, ":4:"), "unmatched: names them");
	run("status", "--json");
	tap(it_said("\"unmatched\": [\n  \"" CONF ":2: "), "unmatched: in JSON");
	run("status", "--prometheus");
	tap(it_said("\nutf8val_guard_lines_unmatched 2\n"), "unmatched: in numbers");
	umount("/disk");
	apply("");
	run("status", "--prometheus");
	tap(it_said("\nutf8val_guard_lines_unmatched 0\n"), "unmatched: none");
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
	tap(it_said("enforced no longer, and no line") && it_said(uuid),
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

/* The event has 63 bytes of each name: a path with a name that is cut would be another's. */
static void test_cut_path(void)
{
	const char *dir = text_of("/other/long%060d", 0);
	struct stat st = { 0 };

	mount_tmpfs("/other", "utf8val=enforce");
	mkdir(dir, 0755);
	stat(dir, &st);
	tap(until_logged(text_of(", in directory %lu\n", (unsigned long)st.st_ino), make_again,
			 text_of("%s/" BAD, dir)),
	    "log: a path with a long name is left out");
	tap(!logged("/other/long"), "log: and not cut");
	umount("/other");
}

static void test_help(void)
{
	static const char *const names[] = { "start", "stop", "status", "set", "enforce", "apply",
					     "log" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		tap_is(run(names[i], "--help"), 0, text_of("help: %s --help", names[i]));
		tap(it_said(text_of("Usage: utf8val-guard %s ", names[i])), "help: its usage");
	}
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
	test_bad_file();
	test_status();
	test_keep();
	test_twins();
	test_replaced();
	test_unmatched();
	test_lowered();
	test_typing_error();
	test_start();
	test_cut_path();
	test_help();
	return tap_end();
}
