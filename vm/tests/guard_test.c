// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val-guard itself: start, stop, set, status and log; who may use them; names
 * of any length. What else happens meanwhile is guard_race_test.c's, the option's
 * rules are the other programs'.
 *
 * Runs as root, started with FS=none, --guard and the command as /bin/utf8val.
 */
#include <dirent.h>
#include <sched.h>
#include <sys/prctl.h>

#include "command.h"
#include "fs.h"
#include "names.h"
#include "tap.h"

#define BAD "bad \xFF\xFE"

static unsigned int others_may(const char *path)
{
	struct stat st;

	return stat(path, &st) || st.st_uid || st.st_mode & 077;
}

static void test_pins(void)
{
	DIR *dir = opendir(PINS);
	unsigned int open_to_others = others_may(PINS);
	struct dirent *entry;
	char path[512];

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), PINS "/%s", entry->d_name);
		open_to_others += others_may(path);
	}
	tap(dir, "guard: it has pins");
	tap_is(open_to_others, 0, "guard: which are root's alone");
	if (dir)
		closedir(dir);
}

static void test_again(void)
{
	struct counts before = read_counts();

	tap_is(run("start", NULL, NULL), 0, "guard: a second start");
	tap(it_said("in force already"), "guard: changes nothing");
	tap_is((long)(read_counts().bad - before.bad), 0,
	       "guard: tells of nothing that it tries");
	tap_is(run("status", NULL, NULL), 0, "guard: status");
	tap(it_said("guard: in force"), "guard: says that it is in force");
	tap_is(run("status", "--json", NULL), 0, "guard: status --json");
	tap(it_said("\"in_force\": true"), "guard: says so, too");
}

/* The name of a mount point is somebody else's bytes, too. */
static void test_mount_point(void)
{
	static const char where[] = "/a\x1b\xff\"b";

	do_mount("tmpfs", "none", where, "utf8val=enforce");
	run("status", NULL, NULL);
	tap(it_said("/a\\x1b\\xff\\x22b"),
	    "guard: status escapes what a terminal should not get");
	run("status", "--json", NULL);
	tap(it_said("\"/a\\u001b\\udcff\\u0022b\""),
	    "guard: and --json what is not JSON");
	umount(where);
	rmdir(where);
}

/* As a user; and as root without what root may do. */
static void test_who(void)
{
	static const char *const commands[] = { "start", "stop", "set", "log",
						"status" };

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		bool set = !strcmp(commands[i], "set");
		int status;

		fflush(stdout);
		if (!fork()) {
			if (setuid(1000))
				_exit(1);
			_exit(run(commands[i], set ? "off" : NULL,
				  set ? "/" : NULL) == 2 && it_said("needs root") ?
			      0 : 1);
		}
		wait(&status);
		tap_is(status, 0, "guard: %s is not for users", commands[i]);
	}
	tap_is(run("status", NULL, NULL), 0, "guard: it is in force as before");
}

/* What utf8val mount says of it: users are not told that there is none. */
static void test_seen(void)
{
	int status;

	tap_is(run_program("/bin/utf8val", "mount", NULL, NULL), 0,
	       "seen: by root");
	tap(it_said("utf8val-guard is in force"), "seen: and said");
	tap_is(run_program("/bin/utf8val", "mount", "--stats", NULL), 2,
	       "seen: its numbers are elsewhere");
	tap(it_said("utf8val-guard status"), "seen: and where");
	fflush(stdout);
	if (!fork()) {
		if (setuid(1000))
			_exit(1);
		_exit(run_program("/bin/utf8val", "mount", "/", NULL) == 2 &&
		      it_said("only root can see") && it_said("unknown\t") ?
			      0 : 1);
	}
	wait(&status);
	tap_is(status, 0, "seen: a user is told that only root can see it");
}

static void test_set(void)
{
	do_mount("tmpfs", "none", "/set", "");
	tap_is(do_create("/set/" BAD), 0, "set: a mount without the option");
	unlink("/set/" BAD);
	tap_is(run("set", "enforce", "/set"), 0, "set: enforce");
	tap_is(do_create("/set/" BAD), -EILSEQ, "set: is in force");
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

/* Where the command's own number is another process's to the kernel: 1, init's. */
static void test_set_numbered(void)
{
	int status;

	do_mount("tmpfs", "none", "/set", "");
	fflush(stdout);
	if (!fork())
		_exit(unshare(CLONE_NEWPID) ? 127 : run("set", "enforce", "/set"));
	wait(&status);
	tap_is(status, 0, "set: in a PID namespace");
	tap_is(do_create("/set/" BAD), -EILSEQ, "set: is for that path there, too");
	umount("/set");
}

/* A file system that is mounted when somebody looks into it. */
static void test_set_automount(void)
{
	do_mount("debugfs", "none", "/debug", "");
	tap_is(run("set", "enforce", "/debug/tracing"), 0, "set: on demand");
	tap(strstr(guard_status(), "tracefs") &&
	    !strstr(guard_status(), "debugfs"),
	    "set: is for what is mounted there");
	umount("/debug/tracing");
	umount("/debug");
}

/* Names are checked at any length that a system call can be given. */
static void test_long(void)
{
	static const size_t lens[] = { 31, 32, 39, 40, 63, 64, 65, 127, 128,
				       255, 256, 257, 1000, 4000 };
	static char path[PATH_MAX];

	do_mount("tmpfs", "none", "/long", "utf8val=enforce");
	go("/long");
	for (size_t i = 0; i < ARRAY_SIZE(lens); i++) {
		size_t len = lens[i];
		/* looked up after the hook, before what it said counts */
		int want = len > NAME_MAX ? -ENAMETOOLONG : 0;
		int refused = len > NAME_MAX ? -ENAMETOOLONG : -EILSEQ;
		struct counts before = read_counts();

		memset(path, 'a', len);
		path[len] = '\0';
		tap_is(do_create(path), want, "4: %zu bytes", len);
		memcpy(path + len - 3, "\xE4\xBD\xA0", 3);
		tap_is(do_create(path), want, "4: %zu bytes, U+4F60 ends it",
		       len);
		path[len - 1] = 'a';
		tap_is(do_create(path), refused, "4: %zu bytes, cut", len);
		memset(path, 'a', len);
		path[0] = '\x80';
		tap_is(do_create(path), refused, "4: %zu bytes, bad first",
		       len);
		tap_is((long)(read_counts().bad - before.bad), 2,
		       "4: %zu bytes, both were seen", len);
	}
	tap(until_logged("stray tail at byte 0 of 4000; from byte 0: 80 61",
			 do_create, path),
	    "23: a name of 4000 bytes is told of");
	go("/");
	umount("/long");
}

static void test_stop(void)
{
	do_mount("tmpfs", "none", "/last", "utf8val=enforce");
	tap_is(run("stop", NULL, NULL), 0, "stop");
	tap(it_said("no longer enforced") && it_said(" tmpfs /last\n"),
	    "stop: says what loses its protection");
	tap_is(do_create("/last/" BAD), 0, "stop: which it has lost");
	tap_is(do_remount("/last", "utf8val=enforce"), -EINVAL,
	       "stop: and the option");
	umount("/last");
	tap(access(PINS, F_OK), "stop: no pins are left");
	tap_is(run("stop", NULL, NULL), 0, "stop: again");
	tap_is(run("status", NULL, NULL), 1, "stop: status");
	tap(it_said("not in force"), "stop: says so");
	tap_is(run("set", "enforce", "/"), 1, "stop: set");
	tap_is(run("log", NULL, NULL), 1, "stop: log");
}

static void test_refusals(void)
{
	int status;

	do_mount("tmpfs", "none", "/sys/kernel/btf", "");
	tap_is(run("start", NULL, NULL), 2, "start: no types");
	tap(it_said("CONFIG_DEBUG_INFO_BTF"), "start: says what is missing");
	tap(access(PINS, F_OK), "start: leaves nothing");
	umount("/sys/kernel/btf");

	fflush(stdout);
	if (!fork()) {
		for (unsigned long cap = 0; !prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
		     cap++)
			;
		_exit(run("start", NULL, NULL) == 2 && it_said("CAP_BPF") ? 0 : 1);
	}
	wait(&status);
	tap_is(status, 0, "start: without capabilities, says which");

	umount("/sys/fs/bpf");
	do_mount("bpf", "none", "/sys/fs/bpf", "mode=0777");
	mkdir(PINS, 0755);
	tap_is(err(chown(PINS, 1000, 1000)), 0, "start: a user's directory");
	tap_is(run("start", NULL, NULL), 2, "start: is not taken");
	tap(it_said("not root's alone"), "start: and says why");
	tap_is(err(chown(PINS, 0, 0)), 0, "start: one of root's");
	tap_is(err(chmod(PINS, 0777)), 0, "start: that all may write to");
	tap_is(run("start", NULL, NULL), 2, "start: is not taken, either");
	tap(it_said("not root's alone"), "start: and says why");
	umount("/sys/fs/bpf");
	tap_is(run("start", NULL, NULL), 0, "start: mounts bpffs");
	tap_is(run("stop", NULL, NULL), 0, "stop");
}

int main(void)
{
	test_pins();
	test_again();
	test_mount_point();
	test_who();
	test_seen();
	test_set();
	test_set_numbered();
	test_set_automount();
	test_long();
	test_stop();
	test_refusals();
	return tap_end();
}
