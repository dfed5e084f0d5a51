// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The policy file: what is wrong with one, and what commands write into it. vm/run.py runs
 * this in a virtual machine.
 *
 * Runs as root, started with FS=none, --guard, an ext4 as /dev/vda, another as /dev/vdb, an
 * ext2 as /dev/vdc, FUSE, and the command as /bin/utf8val.
 */
#include <linux/fuse.h>

#include "names.h"
#include "policy.h"

/* Apply, and be ended by a signal if that takes a minute. */
static int apply_in_time(const char *unused)
{
	(void)unused;
	alarm(60);
	execl(GUARD_PROGRAM, GUARD_PROGRAM, "apply", NULL);
	return 127;
}

/* An error in a file is reported with its line, and nothing is changed. */
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
		{ "audit TYPE=\xff\x1b[2J\n", ":1: \"TYPE=\\xFF\\x1B[2J\"", "not a type" },
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
	mkfifo(CONF, 0600);
	if (tap_is(by_child(0, apply_in_time, NULL), -2, "bad: a FIFO, which nobody writes to"))
		tap(run("apply") == 2 && it_said("not a regular file"), "bad: says so");
	unlink(CONF);
	symlink("/dev/full", CONF);
	tap_is(run("apply"), 2, "bad: a device in its place, which has no end");
	tap(it_said("not a regular file"), "bad: says so");
	unlink(CONF);
	symlink("/not/mounted/yet", CONF);
	tap_is(run("start"), 1, "bad: a link to a file that is not there");
	tap(it_said("a symbolic link to a file that is not there"), "bad: says so");
	mount_tmpfs("/other", "");
	tap_is(make_bad("/other"), -EILSEQ, "bad: and is no empty file");
	umount("/other");
	unlink(CONF);
	tap_is(run("apply"), 0, "bad: no file is an empty one");
	tap_is(run("apply", "--quick"), 2, "bad: an argument");
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
	symlink("/etc/git/elsewhere", "/etc/git/u.new");
	tap_is(run("set", "--keep", "off", "/disk"), 0, "keep: a file behind a link");
	tap(!there("/etc/git/elsewhere"), "keep: nothing is written through another link");
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

/*
 * The server of a user's FUSE answers the first request (FUSE_INIT). At any other
 * request the server closes the file, and all waiting requests fail.
 */
static void serve(int fd)
{
	static char request[FUSE_MIN_READ_BUFFER * 4];
	const struct fuse_in_header *header = (void *)request;
	struct {
		struct fuse_out_header header;
		struct fuse_init_out init;
	} answer = {
		.header.len = sizeof(answer),
		.init = { .major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION,
			  .max_write = 4096 },
	};

	while (read(fd, request, sizeof(request)) > 0) {
		if (header->opcode != FUSE_INIT)
			_exit(1);
		answer.header.unique = header->unique;
		if (write(fd, &answer, sizeof(answer)) < 0)
			break;
	}
	_exit(0);
}

/* Mount as fusermount3 does for uid 1000. Returns: the server. */
static pid_t mount_fuse(const char *where, const char *type, const char *options)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	pid_t child;

	tap_is(do_mount(type, "user's", where,
			text_of("fd=%d,rootmode=40000,user_id=1000,group_id=1000%s", fd, options)),
	       0, "users: a FUSE%s", options);
	fflush(stdout);
	child = fork();
	if (!child)
		serve(fd);
	close(fd);
	return child;
}

/* Returns: has the server been asked for nothing, up to the unmount? */
static bool unmount_fuse(const char *where, pid_t server)
{
	int status = -1;

	umount2(where, MNT_DETACH);
	waitpid(server, &status, 0);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* A user's FUSE, which root may not look at or which never answers, stops no command. */
static void test_fuse(void)
{
	static const char *const options[] = { "", ",allow_other" };
	static const char hostile[] = "fuse.x\x1b[31m";
	pid_t server, other;

	mount_tmpfs("/other", "utf8val=off");
	mkdir("/other/alice", 0755);
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		server = mount_fuse("/other/alice/fuse", "fuse.x", options[i]);
		tap_is(run("enforce", "--once", "/other"), 0, "users: enforce what it is in");
		tap(it_said("enforce (was off): "), "users: it is enforced");
		run("set", "off", "/other");
		tap_is(run("status", "/other/alice/fuse"), 1, "users: status of it");
		tap_is(run("set", "--json", "audit", "/other/alice/fuse"), 0, "users: set it");
		tap(it_said("\"type\": \"fuse\", \"subtype\": {\"text\":\"x\"}, "),
		    "users: its type, and the part that the user chose");
		tap(unmount_fuse("/other/alice/fuse", server), "users: its server is not asked");
	}
	server = mount_fuse("/other/alice/fuse", hostile, "");
	other = mount_fuse("/other/alice/too", hostile, "");
	tap_is(run("set", "--keep", "audit", "/other/alice/fuse"), 2,
	       "users: no line for a type with a control character");
	tap(!strchr(output, '\x1b') && it_said("TYPE=fuse.x\\x1B[31m is also for: "),
	    "users: which is escaped");
	unmount_fuse("/other/alice/fuse", server);
	unmount_fuse("/other/alice/too", other);
	umount("/other");
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

/* A copy of a disk, as a restored backup is: the line is for that disk, too, wherever it is. */
static void test_restored(void)
{
	do_mount("ext4", "/dev/vda", "/disk", "");
	tap_is(run("set", "--keep", "enforce", "/disk"), 0, "restored: a disk is enforced");
	umount("/disk");
	do_mount("ext4", "/dev/vdb", "/disk", "");
	tap_is(make_bad("/disk"), -EILSEQ, "restored: a copy of it in its place, too");
	tap_is(run("status"), 0, "restored: status");
	tap(it_said("enforce\t254:16\text4\tpolicy\t") && !strstr(output, "unmatched"),
	    "restored: says that it is another device");
	umount("/disk");
	apply("");
}

/* Wipe the UUID of an ext2, which has no sum over it. */
static void wipe_uuid(void)
{
	static const char nothing[16];
	int fd = open("/dev/vdc", O_WRONLY | O_CLOEXEC);

	if (pwrite(fd, nothing, sizeof(nothing), UUID_AT) != sizeof(nothing))
		printf("Bail out! /dev/vdc: %s\n", strerror(errno));
	close(fd);
}

/* A disk without a UUID has its line by its type. */
static void test_no_uuid(void)
{
	wipe_uuid();
	tap_is(do_mount("ext2", "/dev/vdc", "/other", ""), 0, "no UUID: a disk without one");
	do_mount("ext4", "/dev/vda", "/disk", "");
	tap_is(run("set", "--keep", "enforce", "/other"), 0, "no UUID: it is enforced");
	tap(!strcmp(contents(CONF), "enforce TYPE=ext2\n"), "no UUID: by a line for its type");
	run("status");
	tap(it_said("\text2\tpolicy\t-\t/other\n"), "no UUID: status has none");
	umount("/other");
	do_mount("ext2", "/dev/vdc", "/other", "");
	tap_is(make_bad("/other"), -EILSEQ, "no UUID: the next mount is, too");
	tap_is(make_bad("/disk"), 0, "no UUID: and no other disk");
	umount("/disk");
	umount("/other");
	apply("");
}

int main(void)
{
	mkdir("/etc", 0755);
	read_uuid();
	test_bad_file();
	test_keep();
	test_fuse();
	test_twins();
	test_restored();
	test_no_uuid();
	return tap_end();
}
