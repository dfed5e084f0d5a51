// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Trouble around the guard: users who hold locks, hidden pins, full maps, a start that
 * fails half-way, options that are hard to read. vm/run.py runs this in a virtual
 * machine.
 *
 * Runs as root, started with FS=none and --guard; /sbin/utf8val-guard-next is a
 * later guard.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/prctl.h>

#include "bpf/shared/guard_maps.h"
#include "churn.h"
#include "command.h"
#include "fs.h"
#include "names.h"
#include "tap.h"

static void hold_lock(int unused)
{
	int fd;

	(void)unused;
	be_nobody();
	fd = open(BPFFS, O_RDONLY | O_DIRECTORY);
	if (fd < 0 || flock(fd, LOCK_EX))
		_exit(1);
	puts("held");
	fflush(stdout);
	pause();
}

/* bpffs as mount(8) mounts it: any user may open its root, and lock it. */
static void test_held_lock(void)
{
	char line[8];
	int ends[2], out = dup(STDOUT_FILENO);

	tap_is(run("stop"), 0, "lock: stop");
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
	/* a start that waits would reach the guest's time limit */
	tap_is(run("start"), 0, "lock: start does not wait for that");
	tap_is(end_children(), 0, "lock: which was held to the end");
}

/* With its last mount, bpffs goes, and all pins. */
static void test_unmounted(void)
{
	int status = 2;

	mount_tmpfs("/one", "utf8val=enforce");
	tap_is(err(umount(BPFFS)), 0, "unmounted: bpffs");
	/* the kernel unloads programs a moment after their pins are gone */
	for (int i = 0; i < 3000 && status == 2; i++) {
		status = run("status");
		usleep(10000);
	}
	tap_is(status, 1, "unmounted: status tells it");
	tap(it_said("not active"), "unmounted: in words, too");
	tap_is(run("start"), 0, "unmounted: start");
	tap_is(do_remount("/one", "utf8val=enforce"), 0, "unmounted: a mode");
	tap_is(do_create("/one/" BAD), -EILSEQ, "unmounted: is enforced");
	umount("/one");
}

/*
 * Look for the guard in a mount namespace without bpffs. Returns: an exit
 * status that says what fails.
 */
static int hidden(const char *unused)
{
	int wrong = 0;

	(void)unused;
	if (!own_mounts() || umount(BPFFS))
		return 1;
	wrong |= (run("start") != 2 || !it_said("cannot be seen")) << 1;
	wrong |= (run("stop") != 2 || !it_said("cannot be seen")) << 2;
	wrong |= (run("status") != 2 || !it_said("unknown") ||
		  !it_said("cannot be seen")) << 3;
	wrong |= (run("set", "off", "/") != 2 || !it_said("cannot be seen")) << 4;
	wrong |= !access(PINS, F_OK) << 5;
	wrong |= (umount2("/sys", MNT_DETACH) || run("start") != 2 ||
		  !it_said("/sys is not mounted")) << 6;
	return wrong;
}

/* Make what is mounted on the pins' file system read-only here, or writable. */
static int remount_pins(unsigned long flags)
{
	return err(mount(NULL, BPFFS, NULL, MS_REMOUNT | MS_BIND | flags, NULL));
}

static void test_read_only(void)
{
	mount_tmpfs("/held", "utf8val=enforce");
	tap_is(remount_pins(MS_RDONLY), 0, "read-only: the pins");
	tap_is(run("stop"), 2, "read-only: stop");
	tap(it_said("Read-only file system") && it_said("not stopped") &&
	    !strstr(output, "waiting"), "read-only: says so, and waits for nothing");
	tap_is(do_create("/held/" BAD), -EILSEQ, "read-only: the guard is active");
	tap_is(remount_pins(0), 0, "read-only: they are writable again");
	tap_is(run("stop"), 0, "read-only: then it stops");
	tap_is(run("start"), 0, "read-only: and starts");
	umount("/held");
}

static void test_hidden(void)
{
	tap_is(by_child(0, hidden, NULL), 0,
	       "hidden: no second guard where the pins are not to be seen");
	tap_is(run("status"), 0, "hidden: the first is active");
}

/*
 * One of the calls that status tries fails for a reason that has nothing to do with
 * names.
 */
static int cannot_try(const char *unused)
{
	struct sock_filter no_mknod[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mknodat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_SIZE(no_mknod), no_mknod };

	(void)unused;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ||
	       run("status") != 2 || !it_said("guard: unknown") ||
	       !it_said("mknod fails: Operation not permitted");
}

/*
 * A file system that ignores options which it does not know. Before Linux 6.12
 * the kernel hands it all of its options in one string.
 */
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

/* Does this process wait for a lock? /proc/locks marks such a process with "->". */
static bool waits_for_lock(pid_t process)
{
	const char *number = text_of(" %d ", process);
	char line[256];
	FILE *locks = fopen("/proc/locks", "r");
	bool waits = false;

	while (locks && fgets(line, sizeof(line), locks))
		waits |= strstr(line, "->") && strstr(line, number);
	if (locks)
		fclose(locks);
	return waits;
}

/* The directory is removed while start waits for its lock. */
static void test_gone_directory(void)
{
	pid_t child;
	int dir, status;

	tap_is(run("stop", "--forget"), 0, "gone: stop --forget");
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
	tap_is(run("status"), 0, "gone: and is active");
}

static int contexts[GUARD_PENDING];

/* Give the option to contexts that are never mounted. Returns: how many took it. */
static int fill_places(void)
{
	int count = 0;

	while (count < GUARD_PENDING) {
		contexts[count] = fs_open("tmpfs");
		if (fs_set(contexts[count], "utf8val", "audit"))
			break;
		count++;
	}
	return count;
}

static void empty_places(void)
{
	for (int i = 0; i < GUARD_PENDING; i++)
		close(contexts[i]);
}

static void test_full(void)
{
	tap_is(fill_places(), GUARD_PENDING, "full: as many mounts in progress");
	tap_is(mount_tmpfs("/one", "utf8val=enforce"), -ENOMEM, "full: one more fails");
	tap_is(mount_tmpfs("/one", ""), 0, "full: without the option it does not");
	umount("/one");
	empty_places();
	tap_is(mount_tmpfs("/one", "utf8val=enforce"), 0,
	       "full: and then it is taken again");
	tap_is(do_create("/one/" BAD), -EILSEQ, "full: and guarded");
	umount("/one");
}

/* Put a directory in the way of the pins to come, or remove it. */
static void block_pins(bool block)
{
	glob_t dirs = pins("programs-*");

	tap_is((long)dirs.gl_pathc, 1, "fails: one generation of programs");
	for (size_t i = 0; i < dirs.gl_pathc; i++) {
		const char *path = text_of(PINS "/loading%s", strchr(dirs.gl_pathv[i], '-'));
		const char *inner = text_of("%s/in-the-way", path);

		if (block)
			tap(!mkdir(path, 0700) && !mkdir(inner, 0700),
			    "fails: something is in the way of pins");
		else
			tap(!rmdir(inner) && !rmdir(path), "fails: it is gone");
	}
}

/* A mark that exists before a start that fails exists after it. */
static void test_failing_start(void)
{
	mount_tmpfs("/held", "utf8val=enforce");
	fill_places();
	tap_is(run_program(NEXT, "start"), 2, "fails: a newer one, in its self-test");
	tap(it_said("self-test"), "fails: and says so");
	tap_is(run("status"), 2, "fails: nor can status try it");
	tap(it_said("unknown"), "fails: which is what it says");
	tap(shown("/held", ",utf8val=enforce"), "fails: the older one stays");
	remove_pins("guard_create");
	tap_is(run("start"), 2, "fails: a start that would repair, in its self-test");
	tap(shown("/held", ",utf8val=enforce"), "fails: modes stay");
	empty_places();
	block_pins(true);
	tap_is(run("start"), 2, "fails: it cannot pin");
	tap(shown("/held", ",utf8val=enforce"), "fails: modes stay, too");
	block_pins(false);
	tap_is(run("start"), 0, "fails: then start repairs");
	tap_is(do_create("/held/" BAD), -EILSEQ, "fails: what was marked is");
	umount("/held");
}

/*
 * The directory of the old programs cannot be removed; the new programs are
 * active all the same.
 */
static void test_in_the_way(void)
{
	glob_t dirs = pins("programs-*");
	char *path = dirs.gl_pathc ? dirs.gl_pathv[0] : PINS "/none", *inner;

	inner = text_of("%s/inner", path);
	mount_tmpfs("/held", "utf8val=enforce");
	tap_is(run_program(NEXT, "start"), 0, "way: a newer one");
	tap(!mkdir(path, 0700) && !mkdir(inner, 0700), "way: the older one's pins");
	tap_is(run("start"), 0, "way: it starts");
	tap(it_said("is active from"), "way: and says from where");
	tap_is(run("status"), 0, "way: is active");
	tap_is(do_create("/held/" BAD), -EILSEQ, "way: what was marked is");
	tap(!rmdir(inner) && !rmdir(path), "way: it is gone");
	tap_is(run_program(NEXT, "start"), 0, "way: and again");
	tap_is(run("start"), 0, "way: and back");
	tap_is(do_create("/held/" BAD), -EILSEQ, "way: still marked");
	umount("/held");
}

/*
 * The map of marks is kept, but the map by which marks are found is gone:
 * without both, nothing would be checked.
 */
static void test_lost_map(void)
{
	tap_is(err(unlink(PINS "/filter")), 0, "lost: a map");
	remove_pins("guard_create");
	tap_is(run("start"), 2, "lost: start does not do without");
	tap(it_said("filter is gone"), "lost: and says so");
	tap_is(run("stop", "--forget"), 0, "lost: stop --forget");
	tap_is(run("start"), 0, "lost: and start");
	do_mount("tmpfs", "none", "/held", "utf8val=enforce");
	tap_is(err(unlink(PINS "/marks")), 0, "lost: the map of marks itself");
	tap_is(run("status"), 2, "lost: status");
	tap(it_said("guard: unknown") && it_said("cannot be read"),
	    "lost: does not say that names pass");
	tap_is(do_create("/held/" BAD), -EILSEQ, "lost: as they do not");
	tap_is(run("stop"), 2, "lost: stop cannot keep the modes");
	tap(it_said("cannot be read") && it_said("the modes of file systems are lost"),
	    "lost: tells that it cannot say what was guarded");
	umount("/held");
	tap_is(run("start"), 0, "lost: and start");
}

/* Maps as a guard of another version may lay them out. */
static const struct other {
	const char *what, *pin;
	union bpf_attr map;
} others[] = {
	{ "larger values", "marks",
	  { .map_type = BPF_MAP_TYPE_HASH, .key_size = 8,
	    .value_size = sizeof(struct guard_mark) + 8, .max_entries = GUARD_MARKS,
	    .map_flags = BPF_F_NO_PREALLOC } },
	{ "fewer entries", "marks",
	  { .map_type = BPF_MAP_TYPE_HASH, .key_size = 8,
	    .value_size = sizeof(struct guard_mark), .max_entries = GUARD_MARKS / 2,
	    .map_flags = BPF_F_NO_PREALLOC } },
};

static const char next_step[] = "is of another version. To replace it, run: systemctl restart";

static void pin_other(const struct other *other)
{
	const char *path = text_of(PINS "/%s", other->pin);
	union bpf_attr create = other->map, pin = { .pathname = (__u64)(uintptr_t)path };

	unlink(path);
	pin.bpf_fd = (__u32)bpf_call(BPF_MAP_CREATE, &create);
	tap_is(err(bpf_call(BPF_OBJ_PIN, &pin)), 0, "other: %s", other->what);
	close((int)pin.bpf_fd);
}

/* The active guard is of a version whose maps have another layout. */
static void test_other_version(const struct other *other)
{
	mount_tmpfs("/held", "utf8val=enforce");
	pin_other(other);
	tap_is(run("status"), 2, "other: status");
	tap(it_said("guard: unknown") && it_said(next_step), "other: says what to do");
	tap_is(run("status", "--json"), 2, "other: status --json");
	tap(it_said("\"other-version\""), "other: has a reason of its own");
	tap_is(run("set", "enforce", "/held"), 2, "other: set");
	tap(it_said(next_step), "other: says the same");
	tap_is(run_program(NEXT, "start"), 2, "other: start");
	tap(it_said(next_step), "other: says it, too");
	tap_is(do_create("/held/" BAD), -EILSEQ, "other: it stays active");
	tap_is(run("stop", "--now"), 0, "other: stop --now");
	tap_is(run("start"), 0, "other: and start");
	tap_is(run("status"), 0, "other: put this one in its place");
	umount("/held");
}

/* Of the active guard's maps, only the event buffer has another layout. */
static void test_other_log(void)
{
	static const struct other other = {
		"a larger buffer", "told",
		{ .map_type = BPF_MAP_TYPE_RINGBUF, .max_entries = 2 * GUARD_RING }
	};

	pin_other(&other);
	tap_is(run("log", "--follow"), 2, "other: log waits for no other buffer");
	tap(it_said(next_step), "other: and says the same");
	tap_is(run("stop", "--now"), 0, "other: stop --now");
	tap_is(run("start"), 0, "other: and start");
}

/* A mount that was told "taken" is not left to go on unguarded by a stop. */
static void test_stop_in_between(void)
{
	int context = fs_open("tmpfs");

	tap_is(fs_set(context, "utf8val", "enforce"), 0, "stop: a mount is in progress");
	tap_is(run("stop"), 2, "stop: refuses");
	tap(it_said("in progress"), "stop: and says so");
	tap_is(mount_tmpfs("/one", "utf8val=enforce"), -EINVAL,
	       "stop: no more are taken");
	tap_is(run("start"), 0, "stop: start stays active");
	tap_is(fs_command(context, FSCONFIG_CMD_CREATE), 0, "stop: the mount goes on");
	tap_is(fs_attach(context, "/one"), 0, "stop: is made");
	tap_is(do_create("/one/" BAD), -EILSEQ, "stop: and is guarded");
	umount("/one");
	close(context);
	tap_is(run("stop"), 0, "stop: then stops");
	context = fs_open("tmpfs");
	tap_is(run("start"), 0, "stop: again");
	tap_is(fs_set(context, "utf8val", "enforce"), 0, "stop: one more");
	tap_is(run("stop", "--now"), 0, "stop: by force");
	close(context);
	tap_is(run("start"), 0, "stop: and starts");
}

int main(void)
{
	test_held_lock();
	test_gone_directory();
	test_unmounted();
	test_hidden();
	test_read_only();
	tap_is(by_child(0, cannot_try, NULL), 0,
	       "try: status does not take any failure for a bad name");
	test_quotes();
	test_full();
	test_failing_start();
	test_in_the_way();
	test_lost_map();
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		test_other_version(&others[i]);
	test_other_log();
	test_stop_in_between();
	return tap_end();
}
