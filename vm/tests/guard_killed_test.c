// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Root's own maintenance, killed at each step: every file system that was enforced before
 * is enforced after, and the next command can continue. Also commands on a full disk.
 * vm/run.py runs this in a virtual machine.
 *
 * Runs as root, started with FS=none, --guard, an ext4 as /dev/vda; /sbin/utf8val-guard-next
 * is a later guard. The argument: every how many of the steps of stop to kill it at, and half
 * as often start.
 */
#include "killed.h"
#include "policy.h"

static bool is_enforced(const char *when, unsigned int step)
{
	int result = make_bad("/disk");

	if (result == -EILSEQ)
		return true;
	printf("# %s, step %u: %d\n", when, step, result);
	return false;
}

/* The file has one of these texts, and not a part of one. */
static bool file_is(const char *one, const char *other)
{
	const char *has = contents(CONF);

	return !strcmp(has, one) || !strcmp(has, other);
}

static void mount_disk(void)
{
	do_mount("ext4", "/dev/vda", "/disk", "");
}

/* set --keep, on what is enforced by set alone: the line is new. */
static void test_keep(void)
{
	const char *line = strdup(text_of("enforce UUID=%s\n", uuid));
	unsigned int step, lost = 0, cut = 0;

	mount_disk();
	for (step = 1;; step++) {
		apply("");
		run("set", "enforce", "/disk");
		if (!KILL_AT(step, "set", "--keep", "enforce", "/disk"))
			break;
		lost += !is_enforced("set --keep", step);
		cut += !file_is("", line);
		if (run("start"))
			lost++;
		lost += !is_enforced("start after set --keep", step);
	}
	tap(step > 8, "killed: set --keep, at %u steps", step - 1);
	tap_is(lost, 0, "killed: set --keep loses no mode");
	tap_is(cut, 0, "killed: set --keep leaves a whole file");
	umount("/disk");
	apply("");
}

/* apply, of a file in which one line takes another's place. */
static void test_apply(void)
{
	const char *by_uuid = strdup(text_of("enforce UUID=%s\n", uuid));
	unsigned int step, lost = 0, failed = 0;

	for (step = 1;; step++) {
		const char *next = step % 2 ? "enforce TYPE=ext4\noff TYPE=ramfs\n" :
					      "off TYPE=ext2\nenforce default\n";

		failed += apply(by_uuid) != 0;
		conf(next);
		if (!KILL_AT(step, "apply"))
			break;
		mount_disk();
		lost += !is_enforced("apply, then mount", step);
		failed += run("start") != 0;
		lost += !is_enforced("start after apply", step);
		umount("/disk");
	}
	tap(step > 4, "killed: apply, at %u steps", step - 1);
	tap_is(lost, 0, "killed: what both files enforce is enforced from its mount on");
	tap_is(failed, 0, "killed: the next start and apply succeed");
	apply("");
}

/* Some lines are more than a map has room for, beside those of the file before. */
static void test_all_lines(void)
{
	static char text[GUARD_LINES * 64];
	unsigned int failed = 0;

	for (int file = 0; file < 2; file++) {
		char *to = text + sprintf(text, "enforce UUID=%s\n", uuid);

		for (int i = 1; i < GUARD_LINES; i++)
			to += sprintf(to, "audit UUID=00000000-0000-0000-%04d-%012d\n", file, i);
		conf(text);
		/* apply would name each line that names nothing */
		failed += run("start") != 0;
	}
	tap_is(failed, 0, "lines: as many as may be, and then as many others");
	mount_disk();
	tap(is_enforced("lines", 0), "lines: the first is still one of them");
	umount("/disk");
	apply("");
}

/* stop and start, and a later guard that takes over. */
static void test_restart(unsigned int every)
{
	unsigned int step, lost = 0, failed = 0;

	apply(text_of("audit UUID=%s\n", uuid));
	mount_disk();
	run("set", "enforce", "/disk");
	for (step = 1; KILL_AT(step, "stop"); step += every) {
		failed += run("start") != 0 || run("status", "--quiet") == 2;
		lost += !is_enforced("start after stop", step);
	}
	tap(step > 8, "killed: stop, at its steps up to %u", step);
	tap_is(failed, 0, "killed: start after it succeeds");
	tap_is(lost, 0, "killed: and what set has enforced is enforced");
	failed = 0;
	run("start");
	for (step = 1; kill_at(step, NEXT, (const char *const[]){ "start", NULL });
	     step += 2 * every) {
		lost += !is_enforced("taking over", step);
		failed += run("start") != 0;
		lost += !is_enforced("start after taking over", step);
	}
	tap(step > 20, "killed: a later guard's start, at its steps up to %u", step);
	tap_is(failed, 0, "killed: the first guard's start after it succeeds");
	tap_is(lost, 0, "killed: no moment is without a guard");
	umount("/disk");
	apply("");
}

/* A full /etc: the line cannot be written, so nothing is changed. */
static void test_full(void)
{
	static const struct {
		const char *options, *what;
	} kinds[] = {
		{ "size=8k,mode=755", "no block" }, { "nr_inodes=3,mode=755", "no inode" },
	};

	mount_disk();
	run("set", "enforce", "/disk");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		int fd;

		mount_tmpfs("/etc", kinds[i].options);
		conf("# mine\n");
		fd = open("/etc/filler", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
		while (write(fd, text_of("%04096d", 0), 4096) > 0 && i == 0)
			;
		close(fd);
		tap_is(run("set", "--keep", "off", "/disk"), 2, "full: %s", kinds[i].what);
		tap(it_said("No space left on device") && it_said("it is as it was"),
		    "full: says so");
		tap(!strcmp(contents(CONF), "# mine\n") && entries("/etc") == 2,
		    "full: the file is as it was, and has no neighbour");
		tap(is_enforced("full", 0), "full: the mode, too");
		tap_is(run("enforce", "--anyway", "/disk"), 2, "full: and enforce, too");
		tap(is_enforced("full", 1), "full: which takes nothing away");
		umount("/etc");
	}
	umount("/disk");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: guard_killed_test EVERY\n");
		return 2;
	}
	mkdir("/etc", 0755);
	read_uuid();
	test_full();
	test_keep();
	test_apply();
	test_all_lines();
	test_restart((unsigned int)atoi(argv[1]));
	return tap_end();
}
