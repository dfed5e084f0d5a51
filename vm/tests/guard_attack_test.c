// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Rule 11, the guard's, against a user who delays the kernel's work. In a user
 * namespace, threads of the lowest priority make and close contexts for mounts. Another
 * process interrupts these threads in the middle. Meanwhile root gives options to
 * contexts and abandons these contexts. No such option may reach another mount. A third
 * process fills the log with long names; what root does is logged all the same. All the
 * time status finds the guard active. vm/run.py runs this in a virtual machine.
 *
 * Runs as root, started with FS=none and --guard, on one processor. Arguments: how many
 * threads there are, and for how many seconds root works.
 */
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

#include "churn.h"
#include "command.h"
#include "fs.h"
#include "tap.h"

static void *make_contexts(void *unused)
{
	struct sched_param lowest = { 0 };
	int fd;

	sched_setscheduler(0, SCHED_IDLE, &lowest);
	while ((fd = fs_open("tmpfs")) >= 0)
		close(fd);
	_exit(1);
	return unused;
}

static void attack(int threads)
{
	pthread_attr_t small;
	pthread_t thread;

	be_nobody();
	/* setuid() cleared this flag, without which /proc/self is root's */
	prctl(PR_SET_DUMPABLE, 1);
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		_exit(1);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&thread, &small, make_contexts, NULL))
			_exit(1);
	for (;;)
		pause();
}

/* Create as many bad names as the log takes, over and over. */
static void flood(int unused)
{
	static char path[4200] = "/g/";

	(void)unused;
	be_nobody();
	memset(path + strlen(path), 0xFF, 4000);
	for (;;) {
		for (int i = 0; i < 40; i++)
			do_create(path);
		sleep(1);
	}
}

/* Test whether the guard is active, as the timer does. */
static void watch(int unused)
{
	(void)unused;
	if (!run("status", "--quiet"))
		return;
	it_said("nothing");
	fflush(stdout);
	_exit(1);
}

static struct {
	unsigned int contexts, refused, mounts, unasked, remounts, lowered;
} seen;

/* Give the option to a context, and close the context without a mount. */
static void abandon(const char *mode)
{
	int fd = fs_open("tmpfs");

	seen.contexts++;
	seen.refused += fs_set(fd, "utf8val", mode) != 0;
	close(fd);
}

/* Does a new mount without the option refuse a bad name? */
static void mount_without(void)
{
	int fd = fs_open("tmpfs"), dir, file;

	fs_command(fd, FSCONFIG_CMD_CREATE);
	dir = (int)syscall(SYS_fsmount, fd, FSMOUNT_CLOEXEC, 0);
	file = openat(dir, BAD, O_CREAT | O_WRONLY | O_EXCL, 0600);
	seen.mounts++;
	seen.unasked += file < 0;
	if (file >= 0)
		close(file);
	close(dir);
	close(fd);
}

/* Does a remount without the option let a bad name in? */
static void remount_without(void)
{
	int fd = (int)syscall(SYS_fspick, AT_FDCWD, "/g", FSPICK_CLOEXEC);

	fs_command(fd, FSCONFIG_CMD_RECONFIGURE);
	close(fd);
	seen.remounts++;
	if (do_create("/g/" BAD) == -EILSEQ)
		return;
	seen.lowered++;
	unlink("/g/" BAD);
	do_remount("/g", "utf8val=enforce");
}

int main(int argc, char **argv)
{
	cpu_set_t first;
	time_t until;

	if (argc != 3) {
		fprintf(stderr, "usage: guard_attack_test THREADS SECONDS\n");
		return 2;
	}
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	churn(attack, atoi(argv[1]));
	churn(interrupt, 0);
	mount_tmpfs("/g", "utf8val=enforce");
	chmod("/g", 0777);
	churn(flood, 0);
	churn(watch, 0);
	until = time(NULL) + atoi(argv[2]);
	while (time(NULL) < until) {
		abandon("off");
		remount_without();
		abandon("enforce");
		mount_without();
		/* the same by mount(2), which fails at the unknown word */
		mount_tmpfs("/m", "utf8val=enforce,nonsense");
		if (!mount_tmpfs("/m", "")) {
			seen.mounts++;
			seen.unasked += do_create("/m/" BAD) != 0;
			umount("/m");
		}
	}
	printf("# %u contexts, %u mounts, %u remounts\n", seen.contexts,
	       seen.mounts, seen.remounts);
	tap(seen.contexts > 10 && seen.mounts > 10 && seen.remounts > 10,
	    "11: root has worked, too");
	tap_is(seen.lowered, 0, "11: no remount has lowered a mode");
	tap_is(seen.unasked, 0, "11: no mount got a mode unasked");
	tap_is(seen.refused, 0, "11: no option was refused");
	tap_is(end_children(), 0,
	       "11: the attack went on, and so did a status that finds all active");
	do_remount("/g", "utf8val=off");
	tap(logged("lowered from enforce to off"),
	    "17: root's lowering is in a log that a user has filled");
	umount("/g");
	tap_is(run("stop"), 0, "11: stop finds no mount in progress");
	tap_is(run("start"), 0, "11: and start starts");
	return tap_end();
}
