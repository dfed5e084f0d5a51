// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The reports of status and log: modes that differ from the configured modes, lines
 * that match no file system, paths. vm/run.py runs this in a virtual machine.
 *
 * Runs as root, started with FS=none, --guard, an ext4 as /dev/vda and another as /dev/vdb.
 */
#include "policy.h"

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

/*
 * A line of fstab whose file system is mounted over another, as a user can arrange
 * below or above it. The line's first field determines the file system that the line
 * means. @source: that field.
 */
static void line_means(const char *source, const char *what)
{
	mount_tmpfs("/line", "utf8val=audit");
	do_mount("ext4", "/dev/vda", "/line", "utf8val=enforce");
	put_fstab(text_of("%s /line ext4 utf8val=enforce 0 2\n", source));
	tap_is(run("status", "--quiet"), 0, "line: %s: it has the line's mode", what);
	run("set", "off", "/line");
	tap_is(run("status"), 1, "line: %s: it has another", what);
	tap(it_said("/etc/fstab:1: utf8val=enforce, and the mode is off: /line"),
	    "line: %s: that one is reported", what);
	umount("/line");
	umount("/line");
	unlink("/etc/fstab");
}

/*
 * The names of links are ID_FS_LABEL_ENC in the output of blkid(8) for an ext4 with
 * such a label (blkid -p -o udev). udev makes the links from ID_FS_LABEL_ENC.
 */
static void test_lines(void)
{
	static const struct {
		const char *link, *source, *what;
	} lines[] = {
		{ "by-label/plain-_+.:=@1", "LABEL=plain-_+.:=@1", "a label" },
		{ "by-label/plain-_+.:=@1", "LABEL=\"plain-_+.:=@1\"", "in quotation marks" },
		{ "by-label/a\\x20b", "LABEL=a\\040b", "with a blank" },
		{ "by-label/a\\x22b", "LABEL=a\"b", "with a quotation mark" },
		{ "by-label/a\\x2fb\\x5cc", "LABEL=a/b\\134c", "with slashes" },
		{ "by-label/\xC3\xA9", "LABEL=\xC3\xA9", "with a letter of two bytes" },
		{ "by-label/a\\xe9\\x01", "LABEL=a\xE9\x01", "with bytes that are no UTF-8" },
	};

	mkdir("/dev/disk", 0755);
	mkdir("/dev/disk/by-label", 0755);
	mkdir("/dev/disk/by-uuid", 0755);
	line_means("/dev/vda", "a device");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const char *link = text_of("/dev/disk/%s", lines[i].link);

		symlink("/dev/vda", link);
		line_means(lines[i].source, lines[i].what);
		unlink(link);
	}
	symlink("/dev/vda", text_of("/dev/disk/by-uuid/%s", uuid));
	line_means(text_of("UUID=%s", uuid), "a UUID");
	/* of two disks with one UUID, udev links the one that it has seen last */
	unlink(text_of("/dev/disk/by-uuid/%s", uuid));
	symlink("/dev/vdb", text_of("/dev/disk/by-uuid/%s", uuid));
	line_means(text_of("UUID=%s", uuid), "the UUID of two disks");
	unlink(text_of("/dev/disk/by-uuid/%s", uuid));
	line_means(text_of("UUID=%s", uuid), "a UUID that udev does not list");
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
	test_status();
	test_lines();
	test_unmatched();
	test_cut_path();
	test_help();
	return tap_end();
}
