// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Trouble around the guard: users who hold locks, pins that cannot be seen, maps
 * that are full, a start that fails half-way, options that are hard to read.
 *
 * Runs as root, started with FS=none and --guard; /sbin/utf8val-guard-next is a
 * later guard. The argument is for how many seconds to race.
 */
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>

#include "command.h"
#include "fs.h"
#include "names.h"
#include "tap.h"

#define BAD "bad \xFF\xFE"
#define BPFFS "/sys/fs/bpf"

/* as many as the guard has places for mounts in progress */
#define PLACES 128
#define CHURNERS 4
#define MARKED 40

static pid_t children[16];
static size_t running;

/* A child that does it over and over until end_children(). */
static void churn(void (*what)(int number), int number)
{
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child) {
		children[running++] = child;
		return;
	}
	for (;;)
		what(number);
}

/* Returns: how many had ended by themselves, as something was wrong. */
static int end_children(void)
{
	int ended = 0;

	while (running) {
		pid_t child = children[--running];

		ended += waitpid(child, NULL, WNOHANG) != 0;
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	return ended;
}

static void hold_lock(int unused)
{
	int fd;

	(void)unused;
	if (setuid(1000))
		_exit(1);
	fd = open(BPFFS, O_RDONLY | O_DIRECTORY);
	if (fd < 0 || flock(fd, LOCK_EX))
		_exit(1);
	puts("held");
	fflush(stdout);
	pause();
}

/* bpffs as mount(8) makes it: everybody may open it, and lock it. */
static void test_held_lock(void)
{
	char line[8];
	int ends[2], out = dup(STDOUT_FILENO);

	tap_is(run("stop", NULL, NULL), 0, "lock: stop");
	umount(BPFFS);
	do_mount("bpf", "none", BPFFS, "");
	tap_is(err(pipe(ends)), 0, "lock: a user may open bpffs");
	dup2(ends[1], STDOUT_FILENO);
	churn(hold_lock, 0);
	dup2(out, STDOUT_FILENO);
	close(out);
	tap_is(read(ends[0], line, sizeof(line)), 5, "lock: and lock it");
	close(ends[0]);
	close(ends[1]);
	/* in time: the machine has an end, too */
	tap_is(run("start", NULL, NULL), 0, "lock: start does not wait for that");
	tap_is(end_children(), 0, "lock: which was held to the end");
}

/* In a mount namespace without bpffs; the status is what fails. */
static int hidden(void)
{
	int wrong = 0;

	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE,
					  NULL) || umount(BPFFS))
		return 1;
	wrong |= (run("start", NULL, NULL) != 2 || !it_said("cannot be seen")) << 1;
	wrong |= (run("stop", NULL, NULL) != 2 || !it_said("cannot be seen")) << 2;
	wrong |= (run("status", NULL, NULL) != 1 ||
		  !it_said("cannot be seen")) << 3;
	wrong |= (run("set", "off", "/") != 1 || !it_said("cannot be seen")) << 4;
	wrong |= !access(PINS, F_OK) << 5;
	wrong |= (umount2("/sys", MNT_DETACH) || run("start", NULL, NULL) != 2 ||
		  !it_said("/sys is not mounted")) << 6;
	return wrong;
}

static void test_hidden(void)
{
	int status;

	fflush(stdout);
	if (!fork())
		_exit(hidden());
	wait(&status);
	tap_is(WEXITSTATUS(status), 0,
	       "hidden: no second guard where the pins are not to be seen");
	tap_is(run("status", NULL, NULL), 0, "hidden: the first is in force");
}

/* A file system that minds no option, before Linux 6.12 not even one by one. */
static void test_quotes(void)
{
	static const char *const options[] = {
		"x=\"y,utf8val=enforce", "x=\"y,utf8val=enforce\"",
		"x=\"y\",utf8val=enforce", "\",utf8val=enforce",
		"x=\"y\"\",utf8val=enforce,z=\"", "utf8val=\"enforce\"",
	};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		int result = do_mount("debugfs", "none", "/quoted", options[i]);

		tap(result == -EINVAL ||
		    (!result && shown("/quoted", ",utf8val=enforce")),
		    "quotes: %s: enforced or refused", options[i]);
		if (!result)
			umount("/quoted");
		run("set", "off", "/quoted");
	}
}

/* Has this process been made to wait for a lock? In /proc/locks that is "->". */
static bool waits_for_lock(pid_t process)
{
	char line[256], number[16];
	FILE *locks = fopen("/proc/locks", "r");
	bool waits = false;

	snprintf(number, sizeof(number), " %d ", process);
	while (locks && fgets(line, sizeof(line), locks))
		waits |= strstr(line, "->") && strstr(line, number);
	if (locks)
		fclose(locks);
	return waits;
}

/* The directory goes while start waits for its lock: it makes another. */
static void test_gone_directory(void)
{
	pid_t child;
	int dir, status;

	tap_is(run("stop", NULL, NULL), 0, "gone: stop");
	tap_is(err(mkdir(PINS, 0700)), 0, "gone: a directory for pins");
	dir = open(PINS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	tap_is(err(flock(dir, LOCK_EX)), 0, "gone: somebody holds its lock");
	fflush(stdout);
	child = fork();
	if (!child) {
		execl(GUARD_PROGRAM, GUARD_PROGRAM, "start", NULL);
		_exit(127);
	}
	for (int i = 0; i < 3000 && !waits_for_lock(child); i++)
		usleep(100000);
	tap(waits_for_lock(child), "gone: start waits for it");
	tap_is(err(rmdir(PINS)), 0, "gone: the directory is removed");
	close(dir);
	waitpid(child, &status, 0);
	tap_is(status, 0, "gone: start makes another");
	tap_is(run("status", NULL, NULL), 0, "gone: and is in force");
}

static int contexts[PLACES];

/* Options given to mounts that go no further; returns how many were taken. */
static int fill_places(void)
{
	int count = 0;

	while (count < PLACES) {
		contexts[count] = fs_open("tmpfs");
		if (fs_set(contexts[count], "utf8val", "audit"))
			break;
		count++;
	}
	return count;
}

static void empty_places(void)
{
	for (int i = 0; i < PLACES; i++)
		close(contexts[i]);
}

static void test_full(void)
{
	tap_is(fill_places(), PLACES, "full: as many mounts in progress");
	tap_is(do_mount("tmpfs", "none", "/one", "utf8val=enforce"), -ENOMEM,
	       "full: one more fails");
	tap_is(do_mount("tmpfs", "none", "/one", ""), 0,
	       "full: without the option it does not");
	umount("/one");
	empty_places();
	tap_is(do_mount("tmpfs", "none", "/one", "utf8val=enforce"), 0,
	       "full: and then it is taken again");
	tap_is(do_create("/one/" BAD), -EILSEQ, "full: and guarded");
	umount("/one");
}

/* A directory in the way of the pins to come, or away with it. */
static void block_pins(bool block)
{
	DIR *dir = opendir(PINS);
	struct dirent *entry;
	char path[512], inner[600];

	while (dir && (entry = readdir(dir))) {
		const char *dash = strchr(entry->d_name, '-');

		if (strncmp(entry->d_name, "programs-", 9) != 0 || !dash)
			continue;
		snprintf(path, sizeof(path), PINS "/loading%s", dash);
		snprintf(inner, sizeof(inner), "%s/in-the-way", path);
		if (block)
			tap(!mkdir(path, 0700) && !mkdir(inner, 0700),
			    "fails: something is in the way of pins");
		else
			tap(!rmdir(inner) && !rmdir(path), "fails: it is gone");
	}
	if (dir)
		closedir(dir);
}

/* What was marked before a start that fails is marked after it. */
static void test_failing_start(void)
{
	do_mount("tmpfs", "none", "/held", "utf8val=enforce");
	fill_places();
	tap_is(run_program(NEXT, "start", NULL, NULL), 2,
	       "fails: a newer one, in its self-test");
	tap(it_said("self-test"), "fails: and says so");
	tap_is(run("status", NULL, NULL), 0, "fails: the older one stays");
	remove_pins("guard_create");
	tap_is(run("start", NULL, NULL), 2,
	       "fails: a start that would mend, in its self-test");
	tap(shown("/held", ",utf8val=enforce"), "fails: modes stay");
	empty_places();
	block_pins(true);
	tap_is(run("start", NULL, NULL), 2, "fails: it cannot pin");
	tap(shown("/held", ",utf8val=enforce"), "fails: modes stay, too");
	block_pins(false);
	tap_is(run("start", NULL, NULL), 0, "fails: then start mends");
	tap_is(do_create("/held/" BAD), -EILSEQ, "fails: what was marked is");
	umount("/held");
}

/* The old programs' directory cannot be removed: the new ones are in force. */
static void test_in_the_way(void)
{
	DIR *dir = opendir(PINS);
	char path[600] = PINS "/none", inner[700];
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, "programs-", 9))
			snprintf(path, sizeof(path), PINS "/%s", entry->d_name);
	if (dir)
		closedir(dir);
	snprintf(inner, sizeof(inner), "%s/inner", path);
	do_mount("tmpfs", "none", "/held", "utf8val=enforce");
	tap_is(run_program(NEXT, "start", NULL, NULL), 0, "way: a newer one");
	tap(!mkdir(path, 0700) && !mkdir(inner, 0700), "way: the older one's pins");
	tap_is(run("start", NULL, NULL), 0, "way: it starts");
	tap(it_said("is in force from"), "way: and says from where");
	tap_is(run("status", NULL, NULL), 0, "way: is in force");
	tap_is(do_create("/held/" BAD), -EILSEQ, "way: what was marked is");
	tap(!rmdir(inner) && !rmdir(path), "way: it is gone");
	tap_is(run_program(NEXT, "start", NULL, NULL), 0, "way: and again");
	tap_is(run("start", NULL, NULL), 0, "way: and back");
	tap_is(do_create("/held/" BAD), -EILSEQ, "way: still marked");
	umount("/held");
}

/* Marks are kept, what they are found by is not: nothing would be checked. */
static void test_lost_map(void)
{
	tap_is(err(unlink(PINS "/filter")), 0, "lost: a map");
	remove_pins("guard_create");
	tap_is(run("start", NULL, NULL), 2, "lost: start does not do without");
	tap(it_said("filter is gone"), "lost: and says so");
	tap_is(run("stop", NULL, NULL), 0, "lost: stop");
	tap_is(run("start", NULL, NULL), 0, "lost: and start");
}

/* A mount that was told "taken" is not left to go on unguarded. */
static void test_stop_in_between(void)
{
	int context = fs_open("tmpfs");

	tap_is(fs_set(context, "utf8val", "enforce"), 0,
	       "stop: a mount is in progress");
	tap_is(run("stop", NULL, NULL), 2, "stop: refuses");
	tap(it_said("in progress"), "stop: and says so");
	tap_is(do_mount("tmpfs", "none", "/one", "utf8val=enforce"), -EINVAL,
	       "stop: no more are taken");
	tap_is(run("start", NULL, NULL), 0, "stop: start stays in force");
	tap_is(fs_command(context, FSCONFIG_CMD_CREATE), 0,
	       "stop: the mount goes on");
	tap_is(fs_attach(context, "/one"), 0, "stop: is made");
	tap_is(do_create("/one/" BAD), -EILSEQ, "stop: and is guarded");
	umount("/one");
	close(context);
	tap_is(run("stop", NULL, NULL), 0, "stop: then stops");
	context = fs_open("tmpfs");
	tap_is(run("start", NULL, NULL), 0, "stop: again");
	tap_is(fs_set(context, "utf8val", "enforce"), 0, "stop: one more");
	tap_is(run("stop", "--now", NULL), 0, "stop: by force");
	close(context);
	tap_is(run("start", NULL, NULL), 0, "stop: and starts");
}

static void follow_log(int output)
{
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	execl(GUARD_PROGRAM, GUARD_PROGRAM, "log", "--follow", NULL);
	_exit(127);
}

/* Read until the text comes, half a minute after the last that came. */
static bool comes(int fd, const char *text)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	size_t len = 0;
	ssize_t got;

	while (len < sizeof(output) - 1 && poll(&wait, 1, 300000) > 0 &&
	       (got = read(fd, output + len, sizeof(output) - 1 - len)) > 0) {
		len += (size_t)got;
		output[len] = '\0';
		if (strstr(output, text))
			return true;
	}
	return false;
}

static void test_log_goes_on(void)
{
	int ends[2], others[2];
	pid_t second;

	do_mount("tmpfs", "none", "/told", "utf8val=enforce");
	tap_is(err(pipe(ends)), 0, "log: it is followed");
	churn(follow_log, ends[1]);
	close(ends[1]);
	do_create("/told/" BAD);
	tap(comes(ends[0], "refused create"), "log: a name is told of");
	run("stop", NULL, NULL);
	tap(comes(ends[0], "waiting for the next start"),
	    "log: so is that the guard was stopped");
	run("start", NULL, NULL);
	do_remount("/told", "utf8val=enforce");
	do_create("/told/" BAD);
	tap(comes(ends[0], "refused create"),
	    "log: and a name after the next start");
	/* the kernel's buffer is for one reader */
	tap_is(run("log", NULL, NULL), 2, "log: not by two at once");
	tap(it_said("another program reads the log"), "log: and says so");
	tap_is(err(pipe(others)), 0, "log: a second one follows");
	second = fork();
	if (!second)
		follow_log(others[1]);
	close(others[1]);
	tap(comes(others[0], "waiting for it to end"), "log: and waits");
	tap_is(end_children(), 0, "log: the first was one process all the time");
	do_create("/told/" BAD);
	tap(comes(others[0], "refused create"), "log: it is the second's turn");
	kill(second, SIGKILL);
	waitpid(second, NULL, 0);
	close(ends[0]);
	close(others[0]);
	tap_is(run("log", NULL, NULL), 0, "log: then by anybody");
	umount("/told");
}

static void mount_and_unmount(int number)
{
	char where[32];

	snprintf(where, sizeof(where), "/churn%d", number);
	if (do_mount("tmpfs", "none", where, "utf8val=audit") || umount(where))
		_exit(1);
}

static unsigned int times_listed(const char *point)
{
	const char *at = guard_status();
	unsigned int times = 0;

	for (; (at = strstr(at, point)); at++)
		times++;
	return times;
}

/* While marks come and go, those that stay are listed, and once. */
static void test_listed_once(void)
{
	unsigned int wrong = 0;
	char point[32];

	for (int i = 0; i < MARKED; i++) {
		snprintf(point, sizeof(point), "/marked%d", i);
		do_mount("tmpfs", "none", point, "utf8val=audit");
	}
	for (int i = 0; i < CHURNERS; i++)
		churn(mount_and_unmount, i);
	for (int i = 0; i < MARKED; i++) {
		snprintf(point, sizeof(point), "\t/marked%d\n", i);
		wrong += times_listed(point) != 1;
	}
	tap_is(wrong, 0, "status: each mark once, while others come and go");
	tap_is(end_children(), 0, "status: which they did");
	for (int i = 0; i < MARKED; i++) {
		snprintf(point, sizeof(point), "/marked%d", i);
		umount(point);
	}
	for (int i = 0; i < CHURNERS; i++) {
		snprintf(point, sizeof(point), "/churn%d", i);
		umount(point);
	}
}

/* Contexts that come and go, in no order. */
static void give_and_forget(int unused)
{
	int some[8];

	(void)unused;
	for (int i = 0; i < 8; i++) {
		some[i] = fs_open("tmpfs");
		if (fs_set(some[i], "utf8val", "audit"))
			_exit(1);
	}
	for (int i = 0; i < 8; i++)
		close(some[i * 5 % 8]);
}

/* Each mount finds its own option among those of others. */
static void test_own_option(int seconds)
{
	time_t until = time(NULL) + seconds;
	unsigned int wrong = 0, count = 0;

	for (int i = 0; i < CHURNERS; i++)
		churn(give_and_forget, i);
	for (; time(NULL) < until; count++) {
		bool mark = count % 4;
		int (*mount_it)(const char *type, const char *source,
				const char *where, const char *options);

		mount_it = count & 1 ? do_fsmount : do_mount;
		wrong += mount_it("tmpfs", "none", "/own",
				  mark ? "utf8val=enforce" : "") != 0;
		wrong += do_create("/own/" BAD) != (mark ? -EILSEQ : 0);
		umount("/own");
	}
	tap_is(wrong, 0, "own: mounts among options of others, for %d s",
	       seconds);
	printf("# %u mounts\n", count);
	tap_is(end_children(), 0, "own: which came and went");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: guard_trouble_test SECONDS\n");
		return 2;
	}
	test_held_lock();
	test_gone_directory();
	test_hidden();
	test_quotes();
	test_full();
	test_failing_start();
	test_in_the_way();
	test_lost_map();
	test_stop_in_between();
	test_log_goes_on();
	test_listed_once();
	test_own_option(atoi(argv[1]));
	return tap_end();
}
