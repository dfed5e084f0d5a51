// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val-guard itself: start, stop, set, status and log; who may use these commands;
 * names of any length. guard_race_test.c tests concurrent events; the other programs
 * test the option's rules. vm/run.py runs this in a virtual machine.
 *
 * Runs as root, started with FS=none, --guard and an ext4.
 */
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "command.h"
#include "fs.h"
#include "names.h"
#include "tap.h"

static unsigned int others_may(const char *path)
{
	struct stat st;

	return stat(path, &st) || st.st_uid || st.st_mode & 077;
}

static void test_pins(void)
{
	unsigned int open_to_others = others_may(PINS);
	glob_t found = pins("*");

	for (size_t i = 0; i < found.gl_pathc; i++)
		open_to_others += others_may(found.gl_pathv[i]);
	tap(found.gl_pathc, "guard: it has pins");
	tap_is(open_to_others, 0, "guard: which are root's alone");
}

static void test_again(void)
{
	struct counts before = read_counts();

	tap_is(run("start"), 0, "guard: a second start");
	tap(it_said("active already"), "guard: changes nothing");
	tap_is((long)(read_counts().bad - before.bad), 0,
	       "guard: tells of nothing that it tries");
	tap_is(run("status"), 0, "guard: status");
	tap(it_said("guard: active"), "guard: says that it is active");
	tap_is(run("status", "--json"), 0, "guard: status --json");
	tap(it_said("\"in_force\": true"), "guard: says so, too");
}

/* The path of a mount point has bytes that somebody else may have chosen. */
static void test_mount_point(void)
{
	/* an escape, a line break, no UTF-8, quotation mark, backslash, a word joiner */
	static const char where[] = "/a\x1b\n\xff\"\\\u2060";

	mount_tmpfs(where, "utf8val=audit");
	make_again(text_of("%s/" BAD, where));
	run("status");
	tap(it_said("/a\\x1B\\n\\xFF\"\\\\\\xE2\\x81\\xA0"),
	    "guard: status escapes what a terminal should not get");
	run("status", "--json");
	/* base64 of the same */
	tap(it_said("{\"path\": {\"bytes\":\"L2EbCv8iXOKBoA==\"}, \"hidden\": false}"),
	    "guard: and --json has each byte");
	tap_is(run("status", "--prometheus"), 0, "prometheus: status");
	tap(it_said("\nutf8val_guard_in_force 1\n"), "prometheus: it is active");
	tap(it_said("type=\"tmpfs\"") &&
	    it_said("mountpoint=\"/a\\\\x1B\\\\n\\\\xFF") &&
	    it_said("\\\\xFF\\\\x22\\\\\\\\\\\\xE2\\\\x81\\\\xA0\",mode=\"audit\"} 1\n"),
	    "prometheus: a file system's mode, with any name");
	tap(it_said("\nutf8val_guard_names_checked_total{operation=\"create\"} ") &&
	    it_said("\nutf8val_guard_names_bad_total{operation=\"create\"} ") &&
	    it_said("\nutf8val_guard_names_denied_total{operation=\"create\"} "),
	    "prometheus: what was checked, bad and denied");
	umount(where);
	rmdir(where);
}

static int needs_root(const char *command)
{
	bool set = !strcmp(command, "set");

	return run(command, set ? "off" : NULL, set ? "/" : NULL) != 2 ||
	       !it_said("needs root");
}

static void test_who(void)
{
	static const char *const commands[] = { "start", "stop", "set", "log",
						"status" };

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		tap_is(by_child(1000, needs_root, commands[i]), 0,
		       "guard: %s is not for users", commands[i]);
	tap_is(run("status"), 0, "guard: it is active as before");
}

static int paths_unknown(const char *path)
{
	return run("status", path) != 2 || !it_said("needs root");
}

/* The modes of single paths. */
static void test_paths(void)
{
	mount_tmpfs("/paths", "utf8val=enforce");
	mkdir("/paths/d", 0755);
	tap_is(run("status", "/paths/d"), 0, "paths: enforced");
	tap(it_said("enforce\t/paths/d\n"), "paths: says so");
	tap_is(run("status", "/paths", "/"), 1, "paths: one of two is not");
	tap(it_said("enforce\t/paths\nunset\t/\n"), "paths: says which");
	tap_is(run("status", "/missing"), 2, "paths: one that does not exist");
	tap_is(by_child(1000, paths_unknown, "/paths"), 0, "paths: a user is not told");
	umount("/paths");
}

static void test_set(void)
{
	mount_tmpfs("/set", "");
	tap_is(do_create("/set/" BAD), 0, "set: a mount without the option");
	unlink("/set/" BAD);
	tap_is(run("set", "enforce", "/set"), 0, "set: enforce");
	tap_is(do_create("/set/" BAD), -EILSEQ, "set: is active");
	tap(shown("/set", ",utf8val=enforce"), "set: and shown");
	tap_is(run("set", "audit", "/set"), 0, "set: audit");
	tap_is(do_create("/set/" BAD), 0, "set: lets it in");
	tap(logged("lowered from enforce to audit"), "17: and is logged");
	tap_is(run("set", "off", "/set"), 0, "set: off");
	tap(!shown("/set", ",utf8val=audit"), "set: is no longer shown");
	tap_is(run("set", "maybe", "/set"), 2, "set: no other mode");
	tap_is(run("set", "enforce", "/set/not there"), 2, "set: no other path");
	tap(it_said("No such file"), "set: and says why");
	tap_is(run("set", "enforce", "/"), 0, "set: the root file system");
	tap_is(do_create("/" BAD), -EILSEQ, "set: which is then enforced");
	run("set", "off", "/");
	umount("/set");
}

/* A mode that cannot be kept is not set either; mount_test has the option. */
static void test_types(void)
{
	tap_is(do_fsmount("msdos", "/dev/vdb", "/cut", "utf8val=off"), 0,
	       "41: msdos may be off");
	tap_is(run("set", "enforce", "/cut"), 2, "41: nothing else is set");
	tap(it_said("not supported"), "41: which the command says");
	umount("/cut");
	tap_is(run("set", "enforce", "/proc"), 2, "41: nor on proc");
	tap(!strstr(guard_status(), "proc"), "41: which gets no mark");
}

/* Another process has files of another file system open by the same numbers. */
static void test_set_own_file(void)
{
	int other, last = -1;

	mount_tmpfs("/set", "");
	mount_tmpfs("/other", "");
	other = open("/other", O_RDONLY | O_CLOEXEC);
	while (last < 64)
		last = fcntl(other, F_DUPFD_CLOEXEC, last + 1);
	tap_is(run("set", "enforce", "/set"), 0, "set: among others' files");
	tap_is(do_create("/set/" BAD), -EILSEQ, "set: is for its own");
	tap_is(do_create("/other/" BAD), 0, "set: not for another's");
	close_range((unsigned int)other, 64, 0);
	umount("/other");
	umount("/set");
}

/*
 * Set in a pid namespace in which the command has the number 1, which is init's number
 * to the kernel.
 */
static int set_numbered(const char *path)
{
	return unshare(CLONE_NEWPID) ? 127 : run("set", "enforce", path);
}

static void test_set_numbered(void)
{
	mount_tmpfs("/set", "");
	tap_is(by_child(0, set_numbered, "/set"), 0, "set: in a PID namespace");
	tap_is(do_create("/set/" BAD), -EILSEQ, "set: is for that path there, too");
	umount("/set");
}

/* A file system that is mounted when somebody looks into its directory. */
static void test_set_automount(void)
{
	do_mount("debugfs", "none", "/debug", "");
	tap_is(run("set", "enforce", "/debug/tracing"), 0, "set: on demand");
	tap(strstr(guard_status(), "tracefs") && !strstr(guard_status(), "debugfs"),
	    "set: is for what is mounted there");
	umount("/debug/tracing");
	umount("/debug");
}

/*
 * A sysctl that hardening guides recommend, and that stops the kernel from calling the
 * guard's programs. Linux 7.3 refuses the setting while programs are attached.
 */
static void test_switched_off(void)
{
	static const char sysctl[] = "/proc/sys/kernel/ftrace_enabled";

	mount_tmpfs("/off", "utf8val=enforce");
	if (put(sysctl, "0")) {
		tap(linux_now() >= 7003, "off: a kernel that refuses it");
		tap_is(run("status"), 0, "off: it is active");
		tap_is(do_create("/off/" BAD), -EILSEQ, "off: and refuses a name");
		umount("/off");
		return;
	}
	tap_is(do_create("/off/" BAD), 0, "off: the kernel calls nothing");
	tap_is(run("status"), 1, "off: status tries it");
	tap(it_said("guard: not active") &&
	    it_said("kernel.ftrace_enabled=1"), "off: and says what to do");
	tap_is(run("status", "--json"), 1, "off: status --json");
	tap(it_said("\"in_force\": false, \"reason\": \"ftrace-disabled\""),
	    "off: says so, too");
	tap_is(run("status", "--prometheus"), 1, "off: --prometheus");
	tap(it_said("\nutf8val_guard_in_force 0\n"), "off: has a 0 for it");
	tap_is(run("status", "--quiet"), 1, "off: --quiet");
	tap(it_said("kernel.ftrace_enabled=1") && !strchr(output, '\t'),
	    "off: says nothing but that");
	tap_is(run("set", "enforce", "/off"), 1, "off: set does not promise");
	tap(it_said("kernel.ftrace_enabled=1"), "off: and says why");
	tap_is(run("set", "off", "/off"), 0, "off: set lowers all the same");
	tap_is(run("start"), 2, "off: start fails");
	tap(it_said("kernel.ftrace_enabled=1"), "off: and says why");
	tap_is(run("status", "/off"), 1, "off: status of a path");
	tap(it_said("unset\t/off"), "off: says that nothing is enforced");
	put(sysctl, "1");
	tap_is(run("status"), 0, "off: and on again");
	tap_is(run("status", "--quiet"), 0, "off: --quiet");
	tap(!*output, "off: has nothing to say");
	tap_is(run("set", "enforce", "/off"), 0, "off: set");
	unlink("/off/" BAD);
	tap_is(another_creates("/off/" BAD), -EILSEQ, "off: which is enforced");
	umount("/off");
}

/*
 * Root of a user namespace cannot try whether the guard is active. Bad names are
 * refused to that root as well.
 */
static int unknown_in_namespace(const char *path)
{
	if (!enter_namespace())
		return 127;
	return (do_create(text_of("%s/" BAD, path)) != -EILSEQ) |
	       (run("status") != 2 || !it_said("guard: unknown")) << 1 |
	       (run("status", "--json") != 2 || !it_said("\"in_force\": null") ||
		!it_said("\"reason\": \"user-namespace\"")) << 2 |
	       (run("status", "--prometheus") != 2 ||
		strstr(output, "\nutf8val_guard_in_force ")) << 3 |
	       (run("set", "enforce", path) != 2) << 4;
}

static void test_unknown(void)
{
	mount_tmpfs("/owned", "utf8val=enforce");
	tap_is(by_child(0, unknown_in_namespace, "/owned"), 0,
	       "unknown: to the root of a user namespace");
	umount("/owned");
}

/* A device's path does not mean the file system of /dev. */
static void test_device(void)
{
	do_mount("ext4", "/dev/vda", "/disk", "");
	mount_tmpfs("/point", "");
	mkdir("/point/d", 0755);
	tap_is(run("set", "audit", "/point/d"), 2, "point: set refuses a directory");
	tap(it_said("/point/d is not a mount point") &&
	    it_said("Run: utf8val-guard set audit /point\n") && !shown("/point", "utf8val="),
	    "point: and says what to name");
	tap_is(run("set", "audit", "/point"), 0, "point: not a mount point");
	tap(shown("/point", "utf8val=audit"), "point: which has the mode");
	umount("/point");
	tap_is(run("set", "enforce", "/dev/vda"), 2, "device: set refuses it");
	tap(it_said("is a device; its file system is mounted on /disk. Run: ") &&
	    it_said("Run: utf8val-guard set enforce /disk\n"),
	    "device: and says what to name");
	umount("/disk");
	tap_is(run("set", "enforce", "/dev/vda"), 2, "device: not mounted, too");
	tap(it_said("no file system on it is mounted"), "device: which it says");
	tap_is(run("set", "enforce", "/dev/null"), 2, "device: any other");
	tap(!strstr(guard_status(), "devtmpfs"), "device: nothing is marked");
}

/* A FUSE file system whose server never answers, from a source that a user chooses. */
static int mount_unanswered(const char *source, const char *where)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	tap_is(do_mount("fuse", source, where,
			text_of("fd=%d,rootmode=40000,user_id=0,group_id=0", fd)),
	       0, "FUSE: %s is from %s", where, source);
	return fd;
}

/* The machine's time limit would end a set that looks at such a source. */
static void test_fuse_source(void)
{
	int first = mount_unanswered("none", "/mute");
	int second = mount_unanswered("/mute/disk", "/other");

	tap_is(run("set", "enforce", "/dev/vda"), 2, "FUSE: set waits for no source");
	tap(it_said("no file system on it is mounted"), "FUSE: and refuses a device");
	close(second);
	close(first);
	umount2("/other", MNT_DETACH);
	umount2("/mute", MNT_DETACH);
}

#define WHO_DIR "/who/a b\xff/c"

/* Make a bad name under a name of a program's own choice, for a user, as smbd does. */
static int make_as(const char *path)
{
	prctl(PR_SET_NAME, "e\n\x1b[m\xff");
	if (setresuid((uid_t)-1, 1000, (uid_t)-1))
		return -EPERM;
	return do_create(path);
}

static int create_by_other(const char *path)
{
	return by_child(0, make_as, path);
}

/* Receive what is sent to the journal's socket, as a string. */
static const char *received(int journal)
{
	static char text[8192];
	ssize_t len = recv(journal, text, sizeof(text) - 1, MSG_DONTWAIT);

	text[len < 0 ? 0 : len] = '\0';
	return text;
}

/* Make a bad name until the log, which is limited, prints it in this form. */
static void read_event(const char *form)
{
	for (int i = 0; i < 600; i++) {
		by_child(0, make_as, WHO_DIR "/" BAD);
		run("log", form);
		if (strstr(output, "refused create on "))
			return;
		usleep(100000);
	}
}

/* A line of the log says who made the name, and where. */
static void test_log_who(void)
{
	static const struct sockaddr_un address = { AF_UNIX, "/run/systemd/journal/socket" };
	int journal = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	const char *text = "";
	struct stat dir;

	mount_tmpfs("/who", "");
	mkdir("/who/a b\xff", 0777);
	mkdir(WHO_DIR, 0777);
	chmod(WHO_DIR, 0777);
	stat(WHO_DIR, &dir);
	do_remount("/who", "utf8val=enforce");
	tap(until_logged("; by e\\n\\x1B\\x5Bm\\xFF[", create_by_other, WHO_DIR "/" BAD),
	    "who: the program, escaped");
	log_clear();
	read_event("--json");
	/* base64 of program, directory and name */
	tap(it_said("\"program\": {\"bytes\":\"ZQobW23/\"}") &&
	    it_said("\"uid\": 0, \"fsuid\": 1000") &&
	    it_said(text_of("\"inode\": %lu, \"directory\": {\"bytes\":\"L3doby9hIGL/L2M=\"}",
			    (unsigned long)dir.st_ino)) &&
	    it_said("\"name\": {\"bytes\":\"YmFkIP/+\"}"), "who: in JSON, with the directory");
	read_event(NULL);
	tap(it_said(text_of("] uid 1000 (real 0), in directory %lu /who/a b\\xFF/c\n",
			    (unsigned long)dir.st_ino)), "who: and in text");
	mkdir("/run", 0755);
	mkdir("/run/systemd", 0755);
	mkdir("/run/systemd/journal", 0755);
	tap_is(err(bind(journal, (const struct sockaddr *)&address, sizeof(address))), 0,
	       "who: a journal");
	for (int i = 0; i < 600 && !*(text = received(journal)); i++) {
		usleep(100000);
		by_child(0, make_as, WHO_DIR "/" BAD);
		run("log", "--journal");
	}
	tap(!*output, "who: which gets the event alone");
	tap(strstr(text, "MESSAGE=utf8val: refused create on ") &&
	    strstr(text, "\nSYSLOG_IDENTIFIER=utf8val\n") &&
	    strstr(text, "\nUTF8VAL_UID=0\nUTF8VAL_FSUID=1000\n") &&
	    strstr(text, "\nUTF8VAL_PROGRAM=e\\n\\x1B[m\\xFF\n") &&
	    strstr(text, "\nUTF8VAL_DIRECTORY=/who/a b\\xFF/c\n"), "who: in fields");
	close(journal);
	unlink(address.sun_path);
	read_event("--journal");
	tap(it_said("utf8val: refused create on "), "who: without a journal it is printed");
	umount("/who");
}

/* Names are checked at any length that a system call can be given. */
static void test_long(void)
{
	static const size_t lens[] = { 31, 32, 39, 40, 63, 64, 65, 127, 128,
				       255, 256, 257, 1000, 4000 };
	static char path[PATH_MAX];

	mount_tmpfs("/long", "utf8val=enforce");
	go("/long");
	for (size_t i = 0; i < ARRAY_SIZE(lens); i++) {
		size_t len = lens[i];
		/* the lookup is after the hook, and its error comes first */
		int want = len > NAME_MAX ? -ENAMETOOLONG : 0;
		int refused = len > NAME_MAX ? -ENAMETOOLONG : -EILSEQ;
		struct counts before = read_counts();

		memset(path, 'a', len);
		path[len] = '\0';
		tap_is(do_create(path), want, "4: %zu bytes", len);
		memcpy(path + len - 3, "\xE4\xBD\xA0", 3);
		tap_is(do_create(path), want, "4: %zu bytes, U+4F60 ends it", len);
		path[len - 1] = 'a';
		tap_is(do_create(path), refused, "4: %zu bytes, cut", len);
		memset(path, 'a', len);
		path[0] = '\x80';
		tap_is(do_create(path), refused, "4: %zu bytes, bad first", len);
		tap_is((long)(read_counts().bad - before.bad), 2,
		       "4: %zu bytes, both were seen", len);
	}
	tap(until_logged("stray tail at byte 0 of 4000; from byte 0: 80 61", do_create,
			 path), "23: a name of 4000 bytes is told of");
	go("/");
	umount("/long");
}

static void test_stop(void)
{
	mount_tmpfs("/last", "utf8val=enforce");
	tap_is(run("stop"), 0, "stop");
	tap(it_said("no longer enforced") && it_said(" tmpfs /last\n"),
	    "stop: says what loses its protection");
	tap_is(do_create("/last/" BAD), 0, "stop: which it has lost");
	tap_is(do_remount("/last", "utf8val=enforce"), -EINVAL, "stop: and the option");
	umount("/last");
	tap(!pins("programs-*").gl_pathc && access(PINS "/counts", F_OK),
	    "stop: no program that checks is left");
	tap_is(run("stop"), 0, "stop: again");
	tap(it_said("not active"), "stop: says that there is nothing to stop");
	tap_is(run("status"), 1, "stop: status");
	tap(it_said("not active"), "stop: says so");
	tap_is(run("set", "enforce", "/"), 1, "stop: set");
	tap_is(run("log"), 1, "stop: log");
	tap_is(run("stop", "--forget"), 0, "stop --forget");
	tap(access(PINS, F_OK), "stop: no pins are left");
	tap_is(run("stop", "--forgot"), 2, "stop: no other option");
}

/*
 * Modes stay with file systems over stop and start, wherever these are mounted by then,
 * and go with them.
 */
static void test_restart(void)
{
	static const char other[] = "/a\x1b\xff b";
	unsigned long bad;
	pid_t apart;
	int covered;

	run("start");
	mount_tmpfs("/again", "utf8val=enforce");
	mount_tmpfs(other, "utf8val=audit");
	mount_tmpfs("/gone", "utf8val=enforce");
	mount_tmpfs("/covered", "utf8val=enforce");
	mount_tmpfs("/first", "utf8val=enforce");
	mkdir("/second", 0755);
	mount("/first", "/second", NULL, MS_BIND, NULL);
	mount_tmpfs("/from", "utf8val=enforce");
	covered = open("/covered", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	apart = mount_apart("/apart", "utf8val=enforce");
	tap(apart > 0, "restart: a mount in another namespace");
	/* where there is no place for files, there is none needed */
	mount_tmpfs("/run", "ro");
	tap_is(run("stop"), 0, "restart: stop");
	umount("/run");
	tap(it_said("no longer enforced: ") && it_said(" /again\n"), "restart: says what it ends");
	tap_is(do_create("/again/" BAD), 0, "restart: nothing is enforced");
	unlink("/again/" BAD);
	umount("/gone");
	do_mount("ramfs", "none", "/gone", "");
	do_mount("ramfs", "none", "/covered", "");
	umount("/first");
	mkdir("/moved", 0755);
	tap_is(err(mount("/from", "/moved", NULL, MS_MOVE, NULL)), 0, "restart: one is moved");
	tap_is(run("start"), 0, "restart: start");
	tap_is(another_creates("/again/" BAD), -EILSEQ, "restart: what was enforced is");
	bad = read_counts().bad;
	tap_is(do_create("/a\x1b\xff b/" BAD), 0, "restart: what was audited");
	tap_is((long)(read_counts().bad - bad), 1, "restart: is");
	tap_is(do_create("/gone/" BAD), 0, "restart: what came since is not");
	tap_is(do_create("/covered/" BAD), 0, "restart: nor what covers a file system");
	tap_is(do_create(text_of("/proc/self/fd/%d/" BAD, covered)), -EILSEQ,
	       "restart: which is enforced itself");
	tap_is(do_create("/second/" BAD), -EILSEQ, "restart: with the second of two mounts only");
	tap_is(do_create("/moved/" BAD), -EILSEQ, "restart: where it was moved");
	tap_is(create_apart(apart), -EILSEQ, "restart: in another namespace");
	tap_is(run("stop"), 0, "restart: stop");
	close(covered);
	umount("/second");
	umount("/moved");
	umount("/again");
	umount(other);
	umount("/covered");
	umount("/covered");
	umount("/gone");
	for (int i = 0; i < 32; i++)
		mount_tmpfs(text_of("/new%d", i), "");
	tap_is(run("start"), 0, "restart: after all are gone");
	tap_is(do_many(do_create, "/new%d/" BAD, 0, 32), 32,
	       "restart: no mode goes to a new file system");
	do_many(umount, "/new%d", 0, 32);
	tap(until_unmarked("tmpfs"), "restart: and none is left");
	mount_tmpfs("/again", "utf8val=enforce");
	tap_is(run("stop", "--forget"), 0, "restart: stop --forget");
	tap_is(run("start"), 0, "restart: start");
	tap_is(do_create("/again/" BAD), 0, "restart: which gives nothing back");
	umount("/again");
	tap_is(run("stop", "--forget", "--now"), 0, "restart: stop");
}

static int start_powerless(const char *unused)
{
	(void)unused;
	for (unsigned long cap = 0; !prctl(PR_CAPBSET_DROP, cap, 0, 0, 0); cap++)
		;
	return run("start") != 2 || !it_said("CAP_BPF");
}

/* The kernel shows the symbols of one that was not updated. */
static int start_unmended(const char *symbols)
{
	do_create(symbols);
	put(symbols, "0 T __bpf_prog_enter_struct_ops\n");
	if (!own_mounts() || mount(symbols, "/proc/kallsyms", NULL, MS_BIND, NULL))
		return 1;
	return run("start") || !strstr(output, "6.1.54") != (linux_now() != 6001);
}

static void test_refusals(void)
{
	mount_tmpfs("/sys/kernel/btf", "");
	tap_is(run("start"), 2, "start: no types");
	tap(it_said("CONFIG_DEBUG_INFO_BTF"), "start: says what is missing");
	tap(access(PINS, F_OK), "start: leaves nothing");
	umount("/sys/kernel/btf");

	tap_is(by_child(0, start_powerless, NULL), 0,
	       "start: without capabilities, says which");

	umount("/sys/fs/bpf");
	do_mount("bpf", "none", "/sys/fs/bpf", "mode=0777");
	mkdir(PINS, 0755);
	tap_is(err(chown(PINS, 1000, 1000)), 0, "start: a user's directory");
	tap_is(run("start"), 2, "start: is not taken");
	tap(it_said("not root's alone"), "start: and says why");
	tap_is(err(chown(PINS, 0, 0)), 0, "start: one of root's");
	tap_is(err(chmod(PINS, 0777)), 0, "start: that all may write to");
	tap_is(run("start"), 2, "start: is not taken, either");
	tap(it_said("not root's alone"), "start: and says why");
	umount("/sys/fs/bpf");
	tap_is(run("start"), 0, "start: mounts bpffs");
	tap(!strstr(output, "6.1.54"), "start: warns of no kernel that is up to date");
	tap_is(by_child(0, start_unmended, "/symbols"), 0,
	       "start: but of a Linux 6.1 that is not");
	tap_is(run("stop", "--forget"), 0, "stop");
}

int main(void)
{
	test_pins();
	test_again();
	test_mount_point();
	test_who();
	test_paths();
	test_types();
	test_set();
	test_set_own_file();
	test_set_numbered();
	test_set_automount();
	test_switched_off();
	test_unknown();
	test_device();
	test_fuse_source();
	test_log_who();
	test_long();
	test_stop();
	test_restart();
	test_refusals();
	return tap_end();
}
