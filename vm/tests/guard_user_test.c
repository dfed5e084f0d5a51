// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Attacks of a non-root user through the guard. The aims are to hide others' events
 * from the log, use up the kernel's memory, and make root's commands fail. vm/run.py
 * runs this in a virtual machine.
 *
 * Runs as root, started with FS=none and --guard.
 */
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include "churn.h"
#include "fs.h"
#include "command.h"
#include "tap.h"

static void make_bad_names(int number)
{
	do_create(text_of("/shared/flood%d \xFF", number));
}

/* As uid 1000, and as each of some users of a user namespace of uid 1000's. */
static void flood(int number)
{
	if (number == 0)
		be_nobody();
	else if (setresuid(1000, 1000, 1000) || unshare(CLONE_NEWUSER))
		_exit(1);
	for (;;)
		make_bad_names(number);
}

static int as_another(const char *path)
{
	return setresuid(1001, 1001, 1001) ? 0 : do_create(path);
}

/* While a user makes bad names without end, the one name of another is in the log. */
static void test_silence(void)
{
	mount_tmpfs("/shared", "utf8val=enforce");
	chmod("/shared", 0777);
	mkdir("/shared/quiet", 0777);
	chmod("/shared/quiet", 0777);
	churn(flood, 0);
	churn(flood, 1);
	while (read_counts().denied < 500)
		usleep(10000);
	/* what was logged by then may fill the buffer */
	guard_log();
	tap_is(by_child(0, as_another, "/shared/quiet/" BAD), -EILSEQ,
	       "silence: one bad name among very many of another user");
	tap_is(end_children(), 0, "silence: which went on");
	tap(logged("uid 1001, in directory "), "silence: it is in the log");
	tap(logged(" uid 1000, in directory "), "silence: and some of the others");
	tap(logged("events are not shown"), "silence: and how many are not");
	umount("/shared");
}

static int in_disguise(const char *path)
{
	be_nobody();
	prctl(PR_SET_NAME, "sh[77] uid 0, in");
	return do_create(path);
}

/* Neither a program's name nor a directory's looks like another program and user. */
static void test_disguise(void)
{
	static const char dir[] = "/shared/a; by sh[77] uid 0, in directory 1 ";
	const char *log;

	mount_tmpfs("/shared", "utf8val=enforce");
	mkdir(dir, 0777);
	chmod(dir, 0777);
	tap_is(by_child(0, in_disguise, text_of("%s/" BAD, dir)), -EILSEQ,
	       "disguise: a bad name by sh[77] uid 0");
	log = guard_log();
	tap(strstr(log, "; by sh\\x5B77]\\x20uid\\x200,\\x20i["), "disguise: as that is a name");
	tap(strstr(log, "] uid 1000, in directory "), "disguise: it is uid 1000's");
	tap(!strstr(log, "[77] uid 0"), "disguise: no part of the line says otherwise");
	umount("/shared");
}

#define THREADS 2000
static pthread_barrier_t step;
static const char *removed;
static int not_removed;

static void *remove_and_wait(void *number)
{
	char path[64];

	snprintf(path, sizeof(path), "/many/%d %s", (int)(long)number, removed);
	pthread_barrier_wait(&step);
	pthread_barrier_wait(&step);
	if (unlink(path))
		__atomic_add_fetch(&not_removed, 1, __ATOMIC_RELAXED);
	pthread_barrier_wait(&step);
	pthread_barrier_wait(&step);
	return NULL;
}

static long unreclaimable(void)
{
	const char *line = strstr(contents("/proc/meminfo"), "SUnreclaim:");

	return line ? strtol(line + strlen("SUnreclaim:"), NULL, 10) * 1024 : 0;
}

static long charged_to(const char *group)
{
	return strtol(contents(text_of("/cg/%s/memory.current", group)), NULL, 10);
}

/* Bytes by which something has grown. */
struct growth {
	long kernel;	/* what the kernel cannot reclaim */
	long guard;	/* what is charged to the group in which the guard was started */
};

static struct growth now(void)
{
	return (struct growth){ unreclaimable(), charged_to("guard") };
}

/* Have threads that live by then remove a name each, with this end. Returns: the growth. */
static struct growth threads_remove(const char *end)
{
	static pthread_t threads[THREADS];
	struct growth before, after;
	pthread_attr_t small;
	int made = 0;

	removed = end;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 * 1024);
	pthread_barrier_init(&step, NULL, THREADS + 1);
	while (made < THREADS &&
	       !pthread_create(&threads[made], &small, remove_and_wait, (void *)(long)made))
		made++;
	if (made < THREADS) {
		printf("Bail out! %d threads: %s\n", made, strerror(errno));
		exit(1);
	}
	pthread_barrier_wait(&step);
	before = now();
	pthread_barrier_wait(&step);
	pthread_barrier_wait(&step);
	after = now();
	pthread_barrier_wait(&step);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return (struct growth){ after.kernel - before.kernel, after.guard - before.guard };
}

/* A ring, and what the kernel needs to find it. */
#define MOST 1024
#define ROUNDS 5

/*
 * Rule 40 remembers a thread's removals in memory of the kernel. How much is that, who pays
 * for it, and does it grow with each thread that has ended?
 */
static void test_memory(void)
{
	/* threads of each round remove names with one of these ends */
	static const char *const bad[ROUNDS] = { "\xFB", "\xFC", "\xFD", "\xFE", "\xFF" };
	struct growth without, with;
	long each, start, end;

	do_mount("cgroup2", "none", "/cg", "");
	put("/cg/cgroup.subtree_control", "+memory");
	mkdir("/cg/guard", 0755);
	run("stop", "--forget");
	put("/cg/guard/cgroup.procs", "0");
	tap_is(run("start"), 0, "memory: start, in a control group");
	put("/cg/cgroup.procs", "0");
	mount_tmpfs("/many", "utf8val=off");
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < THREADS; i++)
			do_create(text_of("/many/%d %s", i, bad[round]));
	do_many(do_create, "/many/%d good", 0, THREADS);
	do_many(do_create, "/many/%d first", 0, THREADS);
	do_remount("/many", "utf8val=enforce");
	/* the first round leaves caches of stacks and the like */
	threads_remove("first");
	without = threads_remove("good");
	start = charged_to("guard");
	with = threads_remove(bad[0]);
	each = (with.guard - without.guard) / THREADS;
	printf("# the kernel's unreclaimable memory grows by %ld bytes a thread\n",
	       (with.kernel - without.kernel) / THREADS);
	/* the group in which the guard was started pays, for every user */
	tap(each > (long)sizeof(struct guard_ring) && each <= MOST,
	    "memory: %ld bytes for each thread that has removed a bad name, at most %d",
	    each, MOST);
	/* The kernel may keep what it frees, for the next threads. */
	for (int round = 1; round < ROUNDS; round++)
		threads_remove(bad[round]);
	end = charged_to("guard");
	tap(end - start < 2 * with.guard && !not_removed,
	    "memory: %ld bytes after one round of threads, %ld after %d: later ones use it again",
	    with.guard, end - start, ROUNDS);
	umount("/many");
}

static int removes_and_creates(const char *path)
{
	return unlink(path) ? -errno : do_create(path);
}

static void *remove_and_stay(void *number)
{
	char path[64];

	snprintf(path, sizeof(path), "/many/%d \xFF", (int)(long)number);
	if (unlink(path))
		__atomic_add_fetch(&not_removed, 1, __ATOMIC_RELAXED);
	pthread_barrier_wait(&step);
	for (;;)
		pause();
	return NULL;
}

/*
 * Threads of a user take all memory that the guard may have. Then another user's file is
 * replaced in the usual way: removed and created again.
 */
static void take_memory(int threads)
{
	pthread_attr_t small;
	pthread_t thread;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 * 1024);
	pthread_barrier_init(&step, NULL, (unsigned int)threads + 1);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&thread, &small, remove_and_stay, (void *)(long)i))
			_exit(1);
	pthread_barrier_wait(&step);
	do_create("/shared/ready");
	for (;;)
		pause();
}

static void test_no_memory(void)
{
	int lost = 0;

	run("stop", "--forget");
	put("/cg/guard/cgroup.procs", "0");
	tap_is(run("start"), 0, "no memory: start, in a control group");
	put("/cg/cgroup.procs", "0");
	mount_tmpfs("/shared", "");
	mount_tmpfs("/many", "");
	do_many(do_create, "/many/%d \xFF", 0, THREADS);
	do_many(do_create, "/many/%d victim\xFF", 0, 20);
	run("set", "enforce", "/many");
	put("/cg/guard/memory.max", text_of("%ld", charged_to("guard") + 65536));
	churn(take_memory, THREADS);
	while (access("/shared/ready", F_OK))
		usleep(10000);
	for (int i = 0; i < 20; i++)
		lost += by_child(0, removes_and_creates, text_of("/many/%d victim\xFF", i)) != 0;
	tap_is(end_children(), 0, "no memory: %d threads have removed a bad name", THREADS);
	tap_is(lost, 0, "no memory: files of others that are lost");
	put("/cg/guard/memory.max", "max");
	umount("/many");
	umount("/shared");
}

/* Make file systems of one's own and unmount them, which changes the list of all. */
static void come_and_go(int number)
{
	be_nobody();
	prctl(PR_SET_DUMPABLE, 1);
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) || put("/proc/self/setgroups", "deny") ||
	    put("/proc/self/uid_map", "0 1000 1") || put("/proc/self/gid_map", "0 1000 1") ||
	    mount_tmpfs("/own", ""))
		_exit(1);
	for (;;) {
		mount_tmpfs("/own", "");
		mount_tmpfs("/own", "size=1m");
		umount2("/own", MNT_DETACH);
		umount2("/own", MNT_DETACH);
	}
	(void)number;
}

/* Each of root's commands has to walk over all superblocks. */
static void test_walks(void)
{
	unsigned int failed = 0;

	mkdir("/own", 0755);
	mount_tmpfs("/walked", "utf8val=audit");
	for (int i = 0; i < 4; i++)
		churn(come_and_go, i);
	for (int i = 0; i < 10; i++) {
		failed += run("status", "--quiet") != 0;
		failed += run("set", i % 2 ? "audit" : "enforce", "/walked") != 0;
		failed += !it_said("was ");
	}
	tap_is(end_children(), 0, "walks: a user's mounts come and go");
	tap_is(failed, 0, "walks: status and set work meanwhile");
	umount("/walked");
}

int main(void)
{
	test_disguise();
	test_silence();
	test_walks();
	test_memory();
	test_no_memory();
	return tap_end();
}
