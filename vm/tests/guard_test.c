// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val-guard itself: start, stop, set, status and log; who may use them; what
 * an interruption leaves; races. The option's rules are the other programs'.
 *
 * Runs as root, started with FS=none and --guard; /sbin/utf8val-guard-next is a
 * later guard. Arguments: how many of start's steps to interrupt it at (0: all),
 * how many mounts to make in a row, and for how many seconds to race.
 */
#include <dirent.h>
#include <linux/bpf.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <time.h>

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

/* Bad names by a child until it is killed; it exits when one is taken. */
static pid_t try_names(void)
{
	pid_t child = fork();

	if (child)
		return child;
	for (;;) {
		if (do_create("/held/" BAD) != -EILSEQ ||
		    err(mkdir("/held/" BAD, 0755)) != -EILSEQ)
			_exit(1);
	}
}

static void test_take_over(void)
{
	int status;
	pid_t child;

	struct counts before = read_counts();

	tap_is(run_program(NEXT, "start", NULL, NULL), 0, "guard: a newer one");
	tap_is(run_program(GUARD_PROGRAM, "start", NULL, NULL), 0,
	       "guard: and the older one again");
	tap_is((long)(read_counts().bad - before.bad), 0,
	       "guard: tell of nothing that they try");
	do_mount("tmpfs", "none", "/held", "utf8val=enforce");
	fflush(stdout);
	child = try_names();
	tap_is(run_program(NEXT, "start", NULL, NULL), 0,
	       "guard: a newer one starts");
	tap(it_said("taken over"), "guard: and takes over");
	tap_is(run_program(GUARD_PROGRAM, "start", NULL, NULL), 0,
	       "guard: and back");
	tap_is(waitpid(child, &status, WNOHANG), 0,
	       "guard: no bad name is taken meanwhile");
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	tap(shown("/held", ",utf8val=enforce"), "guard: modes stay");
	umount("/held");
}

/* The calls of start that leave something behind. */
static bool leaves(const struct user_regs_struct *regs)
{
	return regs->orig_rax == SYS_mkdir || regs->orig_rax == SYS_mkdirat ||
	       regs->orig_rax == SYS_rename ||
	       (regs->orig_rax == SYS_bpf && regs->rdi == 6 /* OBJ_PIN */);
}

/* Kill start after its step-th such call; false: it had not as many. */
static bool interrupt_at(unsigned int step)
{
	struct user_regs_struct regs;
	unsigned int count = 0;
	bool entry = true;
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execl(GUARD_PROGRAM, GUARD_PROGRAM, "start", NULL);
		_exit(127);
	}
	waitpid(child, &status, 0);
	for (;;) {
		ptrace(PTRACE_SYSCALL, child, NULL, NULL);
		waitpid(child, &status, 0);
		if (!WIFSTOPPED(status))
			return false;
		if (WSTOPSIG(status) != SIGTRAP)
			continue;
		ptrace(PTRACE_GETREGS, child, NULL, &regs);
		if (!entry && leaves(&regs) && ++count == step) {
			kill(child, SIGKILL);
			waitpid(child, &status, 0);
			return true;
		}
		entry = !entry;
	}
}

static void test_interruptions(unsigned int steps)
{
	unsigned int every = steps ? 32 / steps : 1;

	tap_is(run("stop", NULL, NULL), 0, "interrupted: stop");
	for (unsigned int step = 1; interrupt_at(step); step += every) {
		/* the last one makes it whole */
		bool whole = run("status", NULL, NULL) == 0;

		tap_is(do_mount("tmpfs", "none", "/half", "utf8val=enforce"),
		       whole ? 0 : -EINVAL, "interrupted: start, step %u: %s",
		       step, whole ? "it is whole" : "no mount with it");
		umount("/half");
		if (!whole)
			tap(it_said("not all of it") || it_said("not in force"),
			    "interrupted: status says so");
		tap_is(run("start", NULL, NULL), 0, "interrupted: start again");
		tap_is(run("status", NULL, NULL), 0, "interrupted: in force");
		tap_is(run("stop", NULL, NULL), 0, "interrupted: and stop");
		tap(access(PINS, F_OK), "interrupted: which leaves nothing");
	}
	tap_is(run("start", NULL, NULL), 0, "interrupted: and all of it");
}

/* Mount with the option until it is taken; the status is whether in vain. */
static pid_t mount_early(void)
{
	pid_t child = fork();

	if (child)
		return child;
	while (do_fsmount("tmpfs", "none", "/early", "utf8val=enforce"))
		;
	_exit(do_create("/early/" BAD) != -EILSEQ);
}

/* Who is told "taken" while start is at work is guarded. */
static void test_early(int times)
{
	int in_vain = 0, status;

	for (int i = 0; i < times; i++) {
		pid_t child;

		run("stop", NULL, NULL);
		fflush(stdout);
		child = mount_early();
		run("start", NULL, NULL);
		waitpid(child, &status, 0);
		in_vain += status != 0;
		umount("/early");
	}
	tap_is(in_vain, 0, "race: mounts while start is at work, %d times",
	       times);
}

/* Somebody takes a single program away. */
static void test_hole(void)
{
	do_mount("tmpfs", "none", "/hole", "utf8val=enforce");
	remove_pins("guard_create");
	tap_is(run("status", NULL, NULL), 1, "hole: one program is gone");
	tap(it_said("not all of it"), "hole: status says so");
	tap_is(run("start", NULL, NULL), 0, "hole: start mends it");
	tap_is(run("status", NULL, NULL), 0, "hole: status says that, too");
	tap_is(do_create("/hole/" BAD), -EILSEQ, "hole: modes stay");
	umount("/hole");
}

/* The kernel takes programs away a moment after their pins. */
static bool programs_loaded(void)
{
	union bpf_attr attr = { .start_id = 0 };

	return !syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr));
}

/*
 * A stop that ended before its end has left the maps; what they hold is not to
 * be the state of another superblock that comes to be at an address in them.
 */
static void test_left_marks(void)
{
	do_mount("tmpfs", "none", "/left", "utf8val=enforce");
	remove_pins(NULL);
	for (int i = 0; i < 3000 && programs_loaded(); i++)
		usleep(100000);
	umount("/left");
	tap_is(run("start", NULL, NULL), 0, "left: start");
	tap(it_said("no longer enforced"), "left: says what is not guarded now");
	tap(!strstr(guard_status(), "tmpfs"), "left: and no mark is left");
}

/* A superblock's state must not be the next one's at the same address. */
static void test_stale(int times)
{
	int wrong = 0;

	for (int i = 0; i < times; i++) {
		bool mark = i & 1;

		if (do_mount("tmpfs", "none", "/stale",
			     mark ? "utf8val=enforce" : ""))
			wrong++;
		if (do_create("/stale/" BAD) != (mark ? -EILSEQ : 0))
			wrong++;
		umount("/stale");
	}
	tap_is(wrong, 0, "race: %d mounts in a row, every other one marked",
	       times);
	for (int i = 0; i < 3000 && strstr(guard_status(), "tmpfs"); i++)
		usleep(100000);
	tap(!strstr(guard_status(), "tmpfs"), "race: and no mark is left");
}

/*
 * Eight tasks on one directory: four mount, fill and unmount a file system of
 * their own, marked or not; two change another's mode between enforce and
 * audit-free values; two make names there that are bad, in each way.
 */
static void racer(int number, time_t until)
{
	char where[32], path[64];

	snprintf(where, sizeof(where), "/race%d", number);
	while (time(NULL) < until) {
		bool mark = random() & 1;

		if (number < 4) {
			const char *options = mark ? "utf8val=enforce" : "";
			int (*mount_it)(const char *type, const char *source,
					const char *where, const char *options);

			mount_it = random() & 1 ? do_mount : do_fsmount;
			if (mount_it("tmpfs", "none", where, options))
				_exit(1);
			snprintf(path, sizeof(path), "%s/" BAD, where);
			if (do_create(path) != (mark ? -EILSEQ : 0))
				_exit(2);
			umount(where);
		} else if (number < 6) {
			if (do_remount("/raced", random() & 1 ?
				       "utf8val=enforce" : "size=1m"))
				_exit(3);
		} else {
			snprintf(path, sizeof(path), "/raced/moving%d", number);
			do_create(path);
			if (err(rename(path, "/raced/" BAD)) != -EILSEQ ||
			    err(mkdir("/raced/" BAD, 0755)) != -EILSEQ)
				_exit(4);
		}
	}
	_exit(0);
}

static void test_race(int seconds)
{
	time_t until = time(NULL) + seconds;
	int bad = 0, status;

	do_mount("tmpfs", "none", "/raced", "utf8val=enforce");
	fflush(stdout);
	for (int i = 0; i < 8; i++)
		if (!fork())
			racer(i, until);
	while (wait(&status) > 0)
		bad += status != 0;
	tap_is(bad, 0, "race: eight tasks for %d s", seconds);
	tap(!there("/raced/" BAD), "race: no bad name is there");
	umount("/raced");
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

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: guard_test STEPS MOUNTS SECONDS\n");
		return 2;
	}
	test_pins();
	test_again();
	test_who();
	test_set();
	test_set_numbered();
	test_set_automount();
	test_long();
	test_take_over();
	test_stale(atoi(argv[2]));
	test_race(atoi(argv[3]));
	test_early(2);
	test_hole();
	test_left_marks();
	test_interruptions((unsigned int)atoi(argv[1]));
	test_stop();
	test_refusals();
	return tap_end();
}
