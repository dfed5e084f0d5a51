// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val-guard while something else happens. start and stop run while tasks create
 * names and mount. Another version takes over; each step is interrupted. Programs and
 * modes are left over or missing. vm/run.py runs this in a virtual machine.
 *
 * Runs as root, started with FS=none and --guard; /sbin/utf8val-guard-next is a later
 * guard, /sbin/utf8val-guard-blind one that lets every name pass. Arguments: the number
 * of start's steps to interrupt (0: all), the number of mounts in a row, and the
 * seconds of each race.
 */
#include <linux/bpf.h>
#include <time.h>

#include "churn.h"
#include "command.h"
#include "fs.h"
#include "killed.h"
#include "tap.h"

static void try_names(int unused)
{
	(void)unused;
	if (do_create("/held/" BAD) != -EILSEQ || do_mkdir("/held/" BAD) != -EILSEQ)
		_exit(1);
}

static void test_take_over(void)
{
	struct counts before = read_counts();

	tap_is(run_program(NEXT, "start"), 0, "guard: a newer one");
	tap_is(run("start"), 0, "guard: and the older one again");
	tap_is((long)(read_counts().bad - before.bad), 0,
	       "guard: tell of nothing that they try");
	tap_is(run_program(BLIND, "start"), 2,
	       "guard: one that lets every name pass does not take over");
	tap(it_said("takes a name that is not UTF-8"), "guard: and says why");
	tap_is(run("status"), 0, "guard: the older one stays");
	mount_tmpfs("/held", "utf8val=enforce");
	churn(try_names, 0);
	tap_is(run_program(NEXT, "start"), 0, "guard: a newer one starts");
	tap(it_said("taken over"), "guard: and takes over");
	tap_is(run("start"), 0, "guard: and back");
	tap_is(end_children(), 0, "guard: no bad name is taken meanwhile");
	tap(shown("/held", ",utf8val=enforce"), "guard: modes stay");
	umount("/held");
}

static void test_interruptions(unsigned int steps)
{
	unsigned int every = steps ? 40 / steps : 1, tried = 0;

	tap_is(run("stop", "--forget"), 0, "interrupted: stop");
	for (unsigned int step = 1; KILL_AT(step, "start"); step += every) {
		/* after the last of these calls the guard is complete */
		bool whole = run("status") == 0;

		tried++;
		tap_is(mount_tmpfs("/half", "utf8val=enforce"),
		       whole ? 0 : -EINVAL, "interrupted: start, step %u: %s",
		       step, whole ? "it is whole" : "no mount with it");
		umount("/half");
		if (!whole)
			tap(it_said("only partly active") || it_said("not active"),
			    "interrupted: status says so");
		tap_is(run("start"), 0, "interrupted: start again");
		tap_is(run("status"), 0, "interrupted: active");
		tap_is(run("stop", "--forget"), 0, "interrupted: and stop");
		tap(access(PINS, F_OK), "interrupted: which leaves nothing");
	}
	/* the directory, the maps and the programs are 20 calls at least */
	tap(tried >= (steps ? steps : 20), "interrupted: at %u steps", tried);
	tap_is(run("start"), 0, "interrupted: and all of it");
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

/* A mount that is told "taken" while start is at work is guarded. */
static void test_early(int times)
{
	int in_vain = 0, stopped = 0, started = 0, status;

	for (int i = 0; i < times; i++) {
		pid_t child;

		stopped += !run("stop");
		fflush(stdout);
		child = mount_early();
		if (!run("start"))
			started++;
		else
			kill(child, SIGKILL);
		waitpid(child, &status, 0);
		in_vain += status != 0;
		umount("/early");
	}
	tap_is(stopped, times, "race: each stop");
	tap_is(started, times, "race: each start while mounts are tried");
	tap_is(in_vain, 0, "race: mounts while start is at work, %d times", times);
}

/* Somebody removes the pin of a single program. */
static void test_hole(void)
{
	mount_tmpfs("/hole", "utf8val=enforce");
	remove_pins("guard_create");
	tap_is(run("status"), 1, "hole: one program is gone");
	tap(it_said("only partly active"), "hole: status says so");
	tap_is(run("start"), 0, "hole: start fixes it");
	tap_is(run("status"), 0, "hole: status says that, too");
	tap_is(do_create("/hole/" BAD), -EILSEQ, "hole: modes stay");
	umount("/hole");
}

/*
 * Is any BPF program loaded? The kernel unloads programs a moment after their
 * pins are gone.
 */
static bool programs_loaded(void)
{
	union bpf_attr attr = { .start_id = 0 };

	return !syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr));
}

/*
 * An interrupted stop has left the maps. Their contents must not become the state of
 * another superblock that is later made at an address in these maps.
 */
static void test_left_marks(void)
{
	mount_tmpfs("/left", "utf8val=enforce");
	remove_pins("*");
	for (int i = 0; i < 3000 && programs_loaded(); i++)
		usleep(100000);
	umount("/left");
	tap_is(run("start"), 0, "left: start");
	tap(it_said("no longer enforced"), "left: says what is not guarded now");
	tap(!strstr(guard_status(), "tmpfs"), "left: and no mark is left");
}

/*
 * A superblock's state must not become that of the next superblock at the same address.
 */
static void test_stale(int times)
{
	int wrong = 0;

	for (int i = 0; i < times; i++) {
		bool mark = i & 1;

		if (mount_tmpfs("/stale", mark ? "utf8val=enforce" : ""))
			wrong++;
		if (do_create("/stale/" BAD) != (mark ? -EILSEQ : 0))
			wrong++;
		umount("/stale");
	}
	tap_is(wrong, 0, "race: %d mounts in a row, every other one marked", times);
	tap(until_unmarked("tmpfs"), "race: and no mark is left");
}

/*
 * The work of eight tasks: four mount, fill and unmount a separate file system, with or
 * without a mark. Two remount /raced, with enforce or without the option. Two create
 * bad names in /raced, by rename and by mkdir.
 */
static void racer(int number, time_t until)
{
	char where[32];

	snprintf(where, sizeof(where), "/race%d", number);
	while (time(NULL) < until) {
		bool mark = random() & 1;

		if (number < 4) {
			const char *options = mark ? "utf8val=enforce" : "";
			mount_fn mount_it = random() & 1 ? do_mount : do_fsmount;

			if (mount_it("tmpfs", "none", where, options))
				_exit(1);
			if (do_create(text_of("%s/" BAD, where)) != (mark ? -EILSEQ : 0))
				_exit(2);
			umount(where);
		} else if (number < 6) {
			if (do_remount("/raced", random() & 1 ?
				       "utf8val=enforce" : "size=1m"))
				_exit(3);
		} else {
			const char *path = text_of("/raced/moving%d", number);

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

	mount_tmpfs("/raced", "utf8val=enforce");
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

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: guard_race_test STEPS MOUNTS SECONDS\n");
		return 2;
	}
	test_take_over();
	test_stale(atoi(argv[2]));
	test_race(atoi(argv[3]));
	test_early(2);
	test_hole();
	test_left_marks();
	test_interruptions((unsigned int)atoi(argv[1]));
	return tap_end();
}
