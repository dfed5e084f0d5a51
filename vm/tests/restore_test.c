// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Rule 40: a thread may re-create a bad name that it has removed, in the same directory. No
 * other way exists. So the number of bad names never rises above what it was. vm/run.py runs
 * this in a virtual machine.
 *
 * Runs as root, started with FS=none and --guard; /sbin/utf8val-guard-next is a later guard.
 * The argument is for how many seconds to race.
 */
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>

#include "bpf/shared/removals.h"
#include "churn.h"
#include "command.h"
#include "ways.h"

#define OTHER "bad \xFE\xFF"
#define ENFORCED "utf8val=enforce"
/* more processes than a thread has removals that are remembered */
#define MANY (3 * UTF8VAL_REMOVALS)

static void fresh(void)
{
	mount_tmpfs("/r", "");
	go("/r");
	mkdir("dir", 0755);
	mkdir("other", 0755);
}

static void enforce(void)
{
	do_remount("/r", ENFORCED);
}

/* Have one bad name, and enforce from then on. */
static void begin(void)
{
	fresh();
	do_create(BAD);
	enforce();
}

static void end(void)
{
	go("/");
	umount("/r");
}

static int make(const struct plain_way *way, const char *name)
{
	do_create("seed");
	do_create("moving");
	return way->enter(name);
}

static int rename_bad(const char *unused)
{
	(void)unused;
	return err(rename(BAD, "renamed"));
}

/*
 * Names come back as tar, unzip and cp make them, as mv and editors do, and as
 * tar does with directories.
 */
static void test_comes_back(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(plain_ways); i++) {
		const struct plain_way *way = &plain_ways[i];

		begin();
		tap_is(make(way, OTHER), -EILSEQ, "40: %s: a new one is refused",
		       way->name);
		tap_is(do_unlink(BAD), 0, "40: %s: a bad name is removed", way->name);
		tap_is(make(way, OTHER), -EILSEQ, "40: %s: another is refused",
		       way->name);
		tap_is(make(way, "dir/" BAD), -EILSEQ,
		       "40: %s: so is the same elsewhere", way->name);
		tap_is(make(way, BAD), 0, "40: %s: it comes back", way->name);
		tap(there(BAD), "40: %s: and is there", way->name);
		end();
	}
	fresh();
	do_create(BAD);
	mkdir("dir/" BAD, 0755);
	enforce();
	tap_is(rename_bad(BAD), 0, "40: a bad name becomes a good one");
	tap_is(do_create(BAD), 0, "40: it comes back beside that");
	tap_is(err(rmdir("dir/" BAD)), 0, "40: a directory is removed");
	tap_is(err(mkdir("dir/" BAD, 0755)), 0, "40: it comes back");
	tap_is(do_create("dir/" BAD "/" OTHER), -EILSEQ, "40: nothing else in it does");
	tap_is(err(rename("dir/" BAD, "dir/good")), 0, "40: a directory moves");
	tap_is(do_create("dir/" BAD), 0, "40: a file takes its name");
	end();
}

static int twice(const char *path)
{
	int result = do_unlink(path);

	return result ? result : do_create(path);
}

/* Remove the file, and become another program, which is to create it again. */
static int remove_and_exec(const char *path)
{
	static char *const args[] = { "/init-restore", "create", NULL };
	int result = do_unlink(path);

	return result ? result : err(execv("/proc/self/exe", args));
}

static void *remove_it(void *unused)
{
	unlink(BAD);
	return unused;
}

static void test_who(void)
{
	pthread_t thread;

	begin();
	tap_is(do_unlink(BAD), 0, "40: this process removes it");
	tap_is(by_child(0, do_create, BAD), -EILSEQ, "40: its child may not create it");
	tap_is(do_create(BAD), 0, "40: it may itself");
	tap_is(by_child(0, twice, BAD), 0, "40: the child removes and creates it");
	tap_is(by_child(0, do_unlink, BAD), 0, "40: the child removes it");
	tap_is(by_child(0, do_create, BAD), -EILSEQ, "40: another child may not create it");
	/* the guard forgets a thread's removal for nothing that another one does */
	tap_is(do_create(BAD), 0, "40: this process removed it before");
	end();
	begin();
	pthread_create(&thread, NULL, remove_it, NULL);
	pthread_join(thread, NULL);
	tap(!there(BAD), "40: a thread removes it");
	tap_is(do_create(BAD), -EILSEQ, "40: another thread of the process may not");
	do_remount("/r", "utf8val=off");
	do_create(BAD);
	enforce();
	tap_is(by_child(0, remove_and_exec, BAD), 0,
	       "40: a process removes it and another program in it creates it");
	tap(there(BAD), "40: which is there");
	end();
}

/* The hook for a removal is called before the removal, which may still fail. */
static void test_failed(void)
{
	for (int off = 0; off < 2; off++) {
		fresh();
		mkdir(BAD, 0755);
		do_create(BAD "/full");
		enforce();
		tap_is(err(rmdir(BAD)), -ENOTEMPTY, "40: a removal fails");
		if (off)
			do_remount("/r", "utf8val=off");
		tap_is(by_child(0, rename_bad, BAD), 0, "40: another process renames it%s",
		       off ? " while the mode is off" : "");
		if (off)
			enforce();
		/* to the guard, a removal that fails is one */
		tap_is(do_mkdir(BAD), 0, "40: the first, whose removal has failed");
		tap_is(another_creates(BAD "2"), -EILSEQ, "40: no second one after that");
		end();
	}

	fresh();
	do_create(BAD);
	do_create("good");
	enforce();
	tap_is(do_rename2(BAD, "good", RENAME_EXCHANGE), 0, "40: an exchange");
	tap(there(BAD) && there("good"), "40: which leaves both names");
	tap_is(by_child(0, do_unlink, BAD), 0, "40: another process removes the bad one");
	/* the guard's programs are not told that a rename is an exchange */
	tap_is(do_create(BAD), 0, "40: an exchange was a removal");
	end();

	/* a creation that fails because the disk is full leaves the removal remembered */
	mount_tmpfs("/r", "nr_inodes=4");
	go("/r");
	do_create(BAD);
	enforce();
	tap_is(do_unlink(BAD), 0, "40: it is removed where there is little room");
	for (const char *name = "aaaaaaaa"; !do_create(name); name++)
		;
	tap_is(do_create(BAD), -ENOSPC, "40: the creation fails");
	unlink("aaaaaaaa");
	tap_is(do_create(BAD), 0, "40: and succeeds with room");
	end();
}

/*
 * A removal counts for one directory. It does not count for one on another mount with the same
 * inode number, or for another with the same name.
 */
static void test_where(void)
{
	struct stat here, there_;

	fresh();
	do_create(BAD);
	mkdir("dir/sub", 0755);
	do_create("dir/sub/" BAD);
	enforce();
	mount_tmpfs("/r2", ENFORCED);
	stat("/r", &here);
	stat("/r2", &there_);
	tap_is((long)(here.st_ino - there_.st_ino), 0,
	       "40: two directories have one number");
	do_unlink(BAD);
	tap_is(do_create("/r2/" BAD), -EILSEQ, "40: they are not taken for one");
	umount("/r2");
	tap_is(do_create(BAD), 0, "40: the right one is");
	unlink("dir/sub/" BAD);
	rmdir("dir/sub");
	mkdir("dir/sub", 0755);
	tap_is(do_create("dir/sub/" BAD), -EILSEQ, "40: a new directory is another");
	mkdir("/bound", 0755);
	tap_is(err(mount("/r", "/bound", NULL, MS_BIND, NULL)), 0, "40: a bind mount");
	tap_is(err(unlink("/bound/" BAD)), 0, "40: it is removed by way of that");
	tap_is(do_create(BAD), 0, "40: and created in the same directory");
	umount("/bound");
	end();
}

/* Names that differ in one byte are different names, however long they are. */
static void test_names(void)
{
	static const size_t lens[] = { 1, 8, 31, 32, 63, 64, 65, 128, 255 };
	char name[256], changed[256];

	for (size_t i = 0; i < ARRAY_SIZE(lens); i++) {
		size_t len = lens[i];
		unsigned int taken = 0;

		fresh();
		memset(name, 0xFF, len);
		name[len] = '\0';
		do_create(name);
		enforce();
		unlink(name);
		for (size_t at = 0; at < len; at++) {
			memcpy(changed, name, len + 1);
			changed[at] = '\xFE';
			taken += do_create(changed) != -EILSEQ;
		}
		if (len > 1) {
			memcpy(changed, name, len + 1);
			changed[len - 1] = '\0';
			taken += do_create(changed) != -EILSEQ;
		}
		if (len < 255) {
			memcpy(changed, name, len + 1);
			strcat(changed, "\xFF");
			taken += do_create(changed) != -EILSEQ;
		}
		tap_is(taken, 0, "40: no other name than one of %zu bytes", len);
		tap_is(do_create(name), 0, "40: but that");
		end();
	}
}

/* Only the last few removals count. */
static void test_limit(void)
{
	int back = 0;

	fresh();
	do_many(do_create, "%d \xFF", 0, UTF8VAL_REMOVALS + 4);
	enforce();
	do_many(unlink, "%d \xFF", 0, UTF8VAL_REMOVALS + 4);
	for (int i = 0; i < UTF8VAL_REMOVALS + 4; i++)
		back += (do_create(text_of("%d \xFF", i)) == 0) == (i >= 4);
	tap_is(back, UTF8VAL_REMOVALS + 4, "40: the last %d of a thread come back",
	       UTF8VAL_REMOVALS);
	end();
}

/*
 * Many other processes remove names in the directory, each with its own user number.
 * One user with subordinate numbers has many such numbers. All processes live until
 * each has removed a name. No process makes the guard forget the removal of another.
 */
static void test_many(void)
{
	int removed[2], go_on[2], status, back = 0;
	char byte;

	fresh();
	chmod("/r", 0777);
	do_create(BAD);
	do_many(do_create, "%d \xFF", 0, MANY);
	enforce();
	if (pipe(removed) || pipe(go_on)) {
		printf("Bail out! pipe: %s\n", strerror(errno));
		exit(1);
	}
	do_unlink(BAD);
	fflush(stdout);
	for (int i = 0; i < MANY; i++) {
		const char *name = text_of("%d \xFF", i);

		if (fork())
			continue;
		close(go_on[1]);
		if (setuid(2000 + (uid_t)i) || unlink(name) ||
		    write(removed[1], "", 1) != 1 || read(go_on[0], &byte, 1))
			_exit(0);
		_exit(!do_create(name));
	}
	close(removed[1]);
	for (int i = 0; i < MANY; i++)
		if (read(removed[0], &byte, 1) != 1)
			break;
	tap_is(do_create(BAD), 0, "40: a name comes back after many others' removals");
	close(go_on[1]);
	while (wait(&status) > 0)
		back += WEXITSTATUS(status);
	tap_is(back, MANY, "40: and so do the others' names");
	close(go_on[0]);
	close(removed[0]);
	end();
}

static void test_log(void)
{
	begin();
	tap(until_logged("restored by create on", create_again, BAD),
	    "40: it is logged as what it is");
	do_remount("/r", "utf8val=audit");
	tap(until_logged("restored by create on", create_again, BAD),
	    "40: in audit, too");
	tap_is(do_create(OTHER), 0, "40: audit lets another one in");
	tap_is(do_unlink(OTHER), 0, "40: which is removed");
	enforce();
	tap_is(do_create(OTHER), -EILSEQ, "40: in audit, which is no removal for enforce");
	log_clear();
	end();
}

/* Replace a file, which must not get lost while a later guard takes over. */
static void replace(int unused)
{
	(void)unused;
	if (create_again("/r/" BAD))
		_exit(1);
}

static void test_take_over(void)
{
	begin();
	churn(replace, 0);
	tap_is(run_program(NEXT, "start"), 0, "40: a later guard");
	tap_is(run("start"), 0, "40: and back");
	tap_is(end_children(), 0, "40: while a file is replaced");
	end();
}

/*
 * A race: tasks of two users remove, create, move and exchange a few bad names at
 * random. Meanwhile this process looks for bad names that did not exist at the start.
 */

/* the bad names of the start, spread over the directories /r/d0 and on */
#define NAMES 6
#define DIRS 3

static void path_of(char *path, size_t size, unsigned int dir, unsigned int name,
		    const char *form)
{
	char text[16];

	snprintf(text, sizeof(text), form, name);
	snprintf(path, size, "/r/d%u/%s", dir, text);
}

/* Remove, create, move or exchange at random, among a few names. */
static void disturb(int number)
{
	static bool seeded;
	char a[64], b[64];
	unsigned int n = 0;

	if (!seeded)
		srandom((unsigned int)number + 1);
	seeded = true;
	path_of(a, sizeof(a), random() % DIRS, random() % (NAMES + 2),
		random() & 1 ? "\xFF%u" : "good%u");
	path_of(b, sizeof(b), random() % DIRS, random() % (NAMES + 2),
		random() & 1 ? "\xFF%u" : "good%u");
	n = (unsigned int)random() % 11;
	if (n < 4) {
		/* most names are made again, or none would soon be left */
		if (!unlink(a) && random() % 64)
			do_create(a);
	} else if (n == 4) {
		if (!rename(a, b) && random() % 64)
			do_create(a);
	} else if (n == 5) {
		do_rename2(a, b, RENAME_EXCHANGE);
	} else if (n == 6) {
		link(a, b);
	} else if (n == 7) {
		/* a removal that fails after the hook, and one that does not */
		snprintf(b, sizeof(b), "%.48s/full", a);
		rmdir(a);
		if (!unlink(b) && !rmdir(a) && !mkdir(a, 0777) && !chmod(a, 0777))
			do_create(b);
	} else if (n == 8) {
		/* the directory has another name for a moment */
		snprintf(b, sizeof(b), "/r/away/%.48s", a + strlen("/r/d0/"));
		a[strlen("/r/d0")] = '\0';
		if (!do_rename2(a, "/r/away", RENAME_NOREPLACE)) {
			if (!unlink(b) || random() & 1)
				do_create(b);
			do_rename2("/r/away", a, RENAME_NOREPLACE);
		}
	} else {
		do_create(a);
	}
}

static void *disturb_forever(void *number)
{
	for (;;)
		disturb((int)(long)number);
	return NULL;
}

/*
 * An unprivileged user's threads, in their own namespaces. The threads run on one CPU,
 * only while no other task needs the CPU. An interrupted thread stays interrupted for
 * long.
 */
static void disturb_idle(int number)
{
	struct sched_param none = { 0 };
	cpu_set_t first;
	pthread_t thread;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (setresuid(1000, 1000, 1000) || unshare(CLONE_NEWUSER | CLONE_NEWNS) ||
	    sched_setaffinity(0, sizeof(first), &first) ||
	    sched_setscheduler(0, SCHED_IDLE, &none))
		_exit(1);
	for (int i = 0; i < 7; i++)
		pthread_create(&thread, NULL, disturb_forever, (void *)(long)number);
	disturb_forever((void *)(long)number);
}

/*
 * Returns: how many bad names are there that were not at first; *all: how many
 * bad names there are.
 */
static unsigned int bad_there(unsigned int *all)
{
	unsigned int added = 0;
	char path[64];

	*all = 0;
	for (unsigned int dir = 0; dir < DIRS; dir++)
		for (unsigned int name = 0; name < NAMES + 2; name++) {
			path_of(path, sizeof(path), dir, name, "\xFF%u");
			if (!there(path))
				continue;
			added += name >= NAMES || name % DIRS != dir;
			++*all;
		}
	return added;
}

static void test_race(int seconds)
{
	time_t until = time(NULL) + seconds;
	unsigned int added = 0, all = 0, rounds = 0, with = 0;
	char path[64];

	fresh();
	for (unsigned int dir = 0; dir < DIRS; dir++) {
		snprintf(path, sizeof(path), "/r/d%u", dir);
		mkdir(path, 0755);
		chmod(path, 0777);
	}
	chmod("/r", 0777);
	for (unsigned int name = 0; name < NAMES; name++) {
		path_of(path, sizeof(path), name % DIRS, name, "\xFF%u");
		if (name % 2) {
			do_create(path);
			continue;
		}
		mkdir(path, 0777);
		chmod(path, 0777);
		do_create(strcat(path, "/full"));
	}
	enforce();
	for (int i = 0; i < 4; i++)
		churn(i % 2 ? disturb_idle : disturb, i);
	for (; time(NULL) < until; rounds++) {
		added += bad_there(&all);
		with += all > 0;
	}
	tap_is(end_children(), 0, "40: processes of two users race for %d s", seconds);
	added += bad_there(&all);
	tap_is(added, 0, "40: no bad name is there that was not, %u looks", rounds);
	tap(with > 10, "40: some were there at %u of them", with);
	tap(all <= NAMES, "40: and no more than were: %u of %d", all, NAMES);
	end();
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "create"))
		return -do_create(BAD);
	if (argc != 2) {
		fprintf(stderr, "usage: restore_test SECONDS\n");
		return 2;
	}
	test_comes_back();
	test_who();
	test_failed();
	test_where();
	test_names();
	test_limit();
	test_log();
	test_many();
	test_take_over();
	test_race(atoi(argv[1]));
	return tap_end();
}
