// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The guard when its maps are full. One map has mounts in progress, some with an end
 * that the guard missed. The other has file systems with a mode. vm/run.py runs this in
 * a virtual machine.
 *
 * Runs as root, started with FS=none and --guard; /sbin/utf8val-guard-next is a
 * later guard.
 */
#include <sched.h>
#include <sys/mman.h>

#include "bpf/shared/guard_maps.h"
#include "churn.h"
#include "command.h"
#include "fs.h"
#include "tap.h"

static int open_pin(const char *path)
{
	union bpf_attr attr = { .pathname = (__u64)(uintptr_t)path };

	return bpf_call(BPF_OBJ_GET, &attr);
}

/* Returns: how many mounts in progress are noted. */
static unsigned int places_taken(void)
{
	int fd = open_pin(PINS "/mounting");
	struct guard_mounting *map = mmap(NULL, sizeof(*map), PROT_READ | PROT_WRITE,
					  MAP_SHARED, fd, 0);
	unsigned int count = map == MAP_FAILED ? 9999 : map->count;

	if (map != MAP_FAILED)
		munmap(map, sizeof(*map));
	close(fd);
	return count;
}

/*
 * Let another program have the pin of one that sees the end of mounts: so that one is
 * unloaded, while the command finds all pins.
 */
static bool replace_pin(const char *program)
{
	union bpf_attr attr = { 0 };
	glob_t dirs = pins("programs-*");
	const char *path;
	bool done;

	remove_pins(program);
	if (dirs.gl_pathc != 1)
		return false;
	path = text_of("%s/%s", dirs.gl_pathv[0], program);
	attr.pathname = (__u64)(uintptr_t)path;
	attr.bpf_fd = (__u32)open_pin(text_of("%s/guard_rmdir", dirs.gl_pathv[0]));
	done = !bpf_call(BPF_OBJ_PIN, &attr);
	close((int)attr.bpf_fd);
	return done;
}

#define TEST "/test"

/* Run a copy of this program as a user who may run it as root. */
static void run_setuid(int unused)
{
	struct sched_param lowest = { 0 };

	(void)unused;
	be_nobody();
	sched_setscheduler(0, SCHED_IDLE, &lowest);
	for (int i = 0; i < 60; i++)
		if (!fork()) {
			execl(TEST, TEST, "again", NULL);
			_exit(1);
		}
	for (;;)
		pause();
}

#define CONTEXTS 900
static int held[CONTEXTS];

static int mount_in_vain(const char *where)
{
	return mount_tmpfs(where, "utf8val=audit,nonsense");
}

/*
 * Abandon a mount in progress by mount(2), by a task that ends, and have another
 * context take the memory of its own.
 */
static int mount_and_end(void)
{
	by_child(0, mount_in_vain, "/m");
	return fs_open("tmpfs");
}

static int give_option(void)
{
	int fd = fs_open("tmpfs");

	fs_set(fd, "utf8val", "audit");
	return fd;
}

/*
 * Abandon a mount in progress. Returns: a new context in the memory of that mount's
 * context. The new log is in the memory of the old log only with a context between the
 * two. The reason is a structure of tmpfs as large as a log: the two change places each
 * time.
 */
static int abandon(const char *mode)
{
	int fd = fs_open("tmpfs");

	fs_set(fd, "utf8val", mode);
	close(fd);
	close(fs_open("tmpfs"));
	return fs_open("tmpfs");
}

/* The options of contexts whose end was missed do not reach the next contexts. */
static void test_next_context(int times)
{
	int refused = 0, unasked = 0, fd;

	for (int i = 0; i < times; i++) {
		fd = abandon("audit");
		refused += fs_set(fd, "utf8val", "enforce") != 0;
		close(fd);
		fd = abandon("enforce");
		fs_command(fd, FSCONFIG_CMD_CREATE);
		fs_attach(fd, "/one");
		unasked += do_create("/one/" BAD) != 0;
		umount("/one");
		close(fd);
	}
	tap_is(refused, 0, "gone: the next context is given another mode");
	tap_is(unasked, 0, "gone: or none");
}

static int begin_in_namespace(const char *type)
{
	return err(unshare(CLONE_NEWUSER | CLONE_NEWNS)) ?: err(fs_open(type));
}

/* Nor does it wait for root: a user's context may have the address, and seem to be it. */
static void test_user_context(void)
{
	close(give_option());
	tap_is(places_taken(), 2, "gone: one is abandoned");
	tap_is(by_child(1000, begin_in_namespace, "tmpfs"), 0,
	       "gone: a user begins another in a namespace of his own");
	tap_is(places_taken(), 1, "gone: what was abandoned has been forgotten by then");
}

/*
 * The same holds beside a user who runs setuid programs, such as mount(8), at the
 * lowest priority, and interrupts them in the guard's programs.
 */
static void test_next_beside_user(void)
{
	int open_in_all[2];
	char none;

	tap_is(pipe(open_in_all), 0, "gone: a pipe that closes when the last of them ends");
	chmod(TEST, 04755);
	churn(run_setuid, 0);
	churn(interrupt, 0);
	sleep(10);
	test_next_context(50);
	tap_is(end_children(), 0, "gone: a user has programs of root's interrupted");
	/* One that was interrupted as it freed a place still has that place. */
	close(open_in_all[1]);
	tap_is(read(open_in_all[0], &none, 1), 0, "gone: all of these have ended");
	close(open_in_all[0]);
}

/* Abandon mounts in progress, of both kinds, until this many places are taken. */
static void fill_places(unsigned int count)
{
	unsigned int made;

	for (made = 0; made < CONTEXTS && places_taken() < count; made++)
		held[made] = made % 2 ? mount_and_end() : give_option();
	while (made)
		close(held[--made]);
	tap_is(places_taken(), count, "gone: %u places are taken", count);
}

/* The kernel unloads programs a moment after their pins are gone. */
static void wait_until_missed(void)
{
	for (int i = 0; i < 3000 && places_taken() < 2; i++) {
		close(give_option());
		usleep(10000);
	}
}

static void mount_context(int context)
{
	fs_command(context, FSCONFIG_CMD_CREATE);
	tap_is(fs_attach(context, "/one"), 0, "gone: it is mounted");
	tap_is(do_create("/one/" BAD), -EILSEQ, "gone: and enforced");
	close(context);
	umount("/one");
}

static void test_gone(void)
{
	cpu_set_t first;
	int going_on, next;

	/* memory that is freed is used again on the same processor */
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	/* the memory of these is not that of one that is gone */
	going_on = fs_open("tmpfs");
	next = fs_open("tmpfs");
	tap_is(fs_set(going_on, "utf8val", "enforce"), 0, "gone: one that goes on");
	tap(replace_pin("guard_put_context") && replace_pin("guard_free_opts"),
	    "gone: no program sees the end of a mount");
	wait_until_missed();
	test_next_context(20);
	test_user_context();
	test_next_beside_user();
	fill_places(GUARD_PENDING);
	tap_is(fs_set(next, "utf8val", "enforce"), 0,
	       "gone: a further mount is told \"taken\" all the same");
	tap_is(places_taken(), 2, "gone: only those that go on are left");
	mount_context(going_on);
	mount_context(next);
	tap_is(places_taken(), 0, "gone: and leave no entry");
	fill_places(5);
	tap_is(run("stop"), 0, "gone: stop waits for none of those");
	tap_is(run("start"), 0, "gone: start");
	close(give_option());
	close(mount_and_end());
	tap_is(places_taken(), 0, "gone: no end is missed any more");
}

/* Note file systems at addresses that are none. Returns: for how many there was room. */
static __u64 fill_marks(int fd)
{
	struct guard_mark mark = { .mode = GUARD_OFF, .type = "none" };
	__u64 count = 0, key;
	union bpf_attr attr = {
		.map_fd = (__u32)fd,
		.key = (__u64)(uintptr_t)&key,
		.value = (__u64)(uintptr_t)&mark,
	};

	for (key = 4096; !bpf_call(BPF_MAP_UPDATE_ELEM, &attr); key += 4096)
		count++;
	tap_is(errno, E2BIG, "marks: there is a limit");
	return count;
}

static void empty_marks(int fd, __u64 count)
{
	__u64 key;
	union bpf_attr attr = {
		.map_fd = (__u32)fd,
		.key = (__u64)(uintptr_t)&key,
	};

	for (key = 4096; count; key += 4096, count--)
		bpf_call(BPF_MAP_DELETE_ELEM, &attr);
}

static void test_marks(void)
{
	int fd = open_pin(PINS "/marks");
	__u64 count;

	mount_tmpfs("/held", "utf8val=enforce");
	count = fill_marks(fd);
	/* eight places are kept for what the guard tries itself */
	tap_is((long)count, GUARD_MARKS - 8 - 1, "marks: of so many, beside one mount");
	log_clear();
	tap_is(mount_tmpfs("/one", "utf8val=enforce"), -ENOMEM, "marks: one more fails");
	tap(logged("as many file systems as"), "marks: and the log says why");
	tap_is(mount_tmpfs("/one", ""), 0, "marks: not without it");
	tap_is(run("set", "enforce", "/one"), 2, "marks: nor is one set");
	tap(it_said("Cannot allocate memory"), "marks: which is told");
	tap_is(run("status", "--quiet"), 0, "marks: status can try it");
	tap_is(run("start"), 0, "marks: and start");
	tap_is(run_program(NEXT, "start"), 0, "marks: a newer one takes over");
	tap(it_said("taken over"), "marks: and says so");
	tap_is(run("start"), 0, "marks: and back");
	tap_is(do_create("/held/" BAD), -EILSEQ, "marks: what was enforced is");
	empty_marks(fd, count);
	close(fd);
	tap_is(run("set", "enforce", "/one"), 0, "marks: with room, one is set");
	tap_is(do_create("/one/" BAD), -EILSEQ, "marks: and enforced");
	umount("/one");
	umount("/held");
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		while (getppid() != 1)
			close(fs_open("tmpfs"));
		return 0;
	}
	test_gone();
	test_marks();
	return tap_end();
}
