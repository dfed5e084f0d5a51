// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The guard beside other programs. Programs read the guard's log. Modes and options of
 * other mounts change while the guard lists them. vm/run.py runs this in a virtual
 * machine.
 *
 * Runs as root, started with FS=none and --guard. The argument is for how many
 * seconds to race.
 */
#include <poll.h>

#include "churn.h"
#include "command.h"
#include "fs.h"
#include "tap.h"

#define CHURNERS 4
#define MARKED 40

static void follow_log(int output)
{
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	execl(GUARD_PROGRAM, GUARD_PROGRAM, "log", "--follow", NULL);
	_exit(127);
}

/* Read until the text comes. Gives up half a minute after the last byte that was read. */
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

/* Start a second reader, whose output comes from ends[0]. */
static pid_t follow_beside(int ends[2])
{
	pid_t child;

	/* only this process may hold the end that is read */
	tap_is(err(pipe2(ends, O_CLOEXEC)), 0, "log: a second one follows");
	child = fork();
	if (!child)
		follow_log(ends[1]);
	close(ends[1]);
	return child;
}

/* Returns: how a process has ended, as waitpid() has it, or -1 if it has not for a minute. */
static int end_of(pid_t child)
{
	int status = -1;

	for (int i = 0; i < 6000 && !waitpid(child, &status, WNOHANG); i++)
		usleep(10000);
	return status;
}

static void test_log_goes_on(void)
{
	int ends[2], others[2];
	pid_t second;

	run("stop");
	tap_is(err(pipe(ends)), 0, "log: it is followed");
	churn(follow_log, ends[1]);
	close(ends[1]);
	tap(comes(ends[0], "waiting for its start"), "log: from before the guard's start");
	run("start");
	mount_tmpfs("/told", "utf8val=enforce");
	do_create("/told/" BAD);
	tap(comes(ends[0], "refused create"), "log: a name is told of");
	run("stop");
	tap(comes(ends[0], "waiting for the next start"),
	    "log: so is that the guard was stopped");
	run("start");
	do_remount("/told", "utf8val=enforce");
	do_create("/told/" BAD);
	tap(comes(ends[0], "refused create"), "log: and a name after the next start");
	/* the kernel's ring buffer allows one reader */
	tap_is(run("log"), 2, "log: not by two at once");
	tap(it_said("another program reads the log"), "log: and says so");
	second = follow_beside(others);
	tap(comes(others[0], "waiting for it to end"), "log: and waits");
	tap_is(end_children(), 0, "log: the first was one process all the time");
	do_create("/told/" BAD);
	tap(comes(others[0], "refused create"), "log: it is the second's turn");
	close(others[0]);
	tap_is(end_of(second), SIGPIPE, "log: it ends when nobody reads what it prints");
	second = follow_beside(others);
	do_create("/told/" BAD);
	tap(comes(others[0], "refused create"), "log: and takes no further event");
	kill(second, SIGINT);
	tap_is(end_of(second), 0, "log: Ctrl-C ends it, with status 0");
	close(ends[0]);
	close(others[0]);
	tap_is(run("log"), 0, "log: then by anybody");
	umount("/told");
}

#define TOLD_USERS 10

/* How many events do these lines report? */
static int reported(const char *text)
{
	int count = 0;

	while ((text = strstr(text, "refused create"))) {
		count++;
		text++;
	}
	return count;
}

/* Wait until a process waits in write(2) for somebody to read its standard output. */
static bool waits_in_write(pid_t process)
{
	const char *path = text_of("/proc/%d/syscall", process);
	const char *call = text_of("%d 0x1 ", SYS_write);

	for (int i = 0; i < 6000; i++) {
		if (!strncmp(contents(path), call, strlen(call)))
			return true;
		usleep(10000);
	}
	return false;
}

/* Try as many bad names as a user has lines in the log. */
static int use_up_lines(const char *form)
{
	do_many(do_create, form, 0, GUARD_BURST);
	return 0;
}

/* A reader of the log is killed. The next one reads what the first has not printed. */
static void test_log_killed(void)
{
	int ends[2], printed;
	ssize_t len;
	pid_t reader;

	mount_tmpfs("/told", "utf8val=enforce,mode=777");
	log_clear();
	for (uid_t user = 1; user <= TOLD_USERS; user++)
		by_child(user, use_up_lines, "/told/%d " BAD);
	tap(!pipe2(ends, O_CLOEXEC) && fcntl(ends[1], F_SETPIPE_SZ, 4096) > 0,
	    "killed: a reader whose output nobody reads");
	fflush(stdout);
	reader = fork();
	if (!reader)
		follow_log(ends[1]);
	close(ends[1]);
	tap(waits_in_write(reader), "killed: it waits");
	kill(reader, SIGKILL);
	waitpid(reader, NULL, 0);
	len = read(ends[0], output, sizeof(output) - 1);
	output[len > 0 ? len : 0] = '\0';
	close(ends[0]);
	printed = reported(output);
	tap(printed > 0 && printed < TOLD_USERS * GUARD_BURST,
	    "killed: it has printed some events");
	tap_is(printed + reported(guard_log()), TOLD_USERS * GUARD_BURST,
	       "killed: the next reader prints all others");
	umount("/told");
}

static void mount_and_unmount(int number)
{
	const char *where = text_of("/churn%d", number);

	if (mount_tmpfs(where, "utf8val=audit") || umount(where))
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

/* While other marks come and go, each that stays is listed exactly once. */
static void test_listed_once(void)
{
	unsigned int wrong = 0;

	for (int i = 0; i < MARKED; i++)
		mount_tmpfs(text_of("/marked%d", i), "utf8val=audit");
	for (int i = 0; i < CHURNERS; i++)
		churn(mount_and_unmount, i);
	for (int i = 0; i < MARKED; i++)
		wrong += times_listed(text_of("\t/marked%d\n", i)) != 1;
	tap_is(wrong, 0, "status: each mark once, while others come and go");
	tap_is(end_children(), 0, "status: which they did");
	for (int i = 0; i < MARKED; i++)
		umount(text_of("/marked%d", i));
	for (int i = 0; i < CHURNERS; i++)
		umount(text_of("/churn%d", i));
}

/* Give contexts the option and close them, in random order. */
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
		mount_fn mount_it = count & 1 ? do_fsmount : do_mount;

		wrong += mount_it("tmpfs", "none", "/own",
				  mark ? "utf8val=enforce" : "") != 0;
		wrong += do_create("/own/" BAD) != (mark ? -EILSEQ : 0);
		umount("/own");
	}
	tap_is(wrong, 0, "own: mounts among options of others, for %d s", seconds);
	tap(count > 0, "own: %u mounts", count);
	tap_is(end_children(), 0, "own: which came and went");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: guard_others_test SECONDS\n");
		return 2;
	}
	test_log_goes_on();
	test_log_killed();
	test_listed_once();
	test_own_option(atoi(argv[1]));
	return tap_end();
}
