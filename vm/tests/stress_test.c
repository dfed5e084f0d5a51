// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Eight tasks on two CPUs create, rename, link and remount for a while. Then all names
 * left in the directories have to be well-formed. On a second superblock the state
 * itself keeps changing, and nothing may break. vm/run.py runs this in a virtual
 * machine.
 *
 * Runs as root with two CPUs, started with FS=none; /dev/vda is ext4. The
 * arguments are how many seconds at least, and a seed.
 */
#include <dirent.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "fs.h"
#include "tap.h"
#include "../../tests/oracle.c"

#define TASKS 8

static uint64_t seed;

static uint32_t any(uint32_t below)
{
	/* Knuth's constants for MMIX; the low bits are not random enough */
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

/* Make a name: half of the names are well-formed, and most others nearly so. */
static void make_name(char *name)
{
	static const char *const parts[] = {
		"a", "Z9", "\xC3\xA9", "\xE4\xBD\xA0", "\xF0\x9F\x98\x80",
		"\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF",
	};
	int count = (int)any(6) + 1;
	size_t len;

	*name = '\0';
	while (count--)
		strcat(name, parts[any(8)]);
	len = strlen(name);
	if (any(2))
		return;
	/* cut the name, or change one byte to any but NUL and '/' */
	if (any(2) && len > 1)
		name[any((uint32_t)len - 1) + 1] = '\0';
	else
		name[any((uint32_t)len)] = (char)(any(2) ? any(0x2e) + 1 :
							   any(0xd0) + 0x30);
}

static void work(const char *where)
{
	const char *path, *other;
	char name[64];

	make_name(name);
	path = text_of("%s/%s", where, name);
	make_name(name);
	other = text_of("%s/%s", where, name);
	switch (any(9)) {
	case 0:
		do_create(path);
		break;
	case 1:
		mkdir(path, 0755);
		break;
	case 2:
		if (symlink("x", path))
			unlink(path);
		break;
	case 3:
		if (link(path, other))
			unlink(other);
		break;
	case 4:
		mknod(path, S_IFIFO | 0644, 0);
		break;
	case 5:
	case 6:
		rename(path, other);
		break;
	case 7:
		do_rename2(path, other, RENAME_EXCHANGE);
		break;
	default:
		unlink(path);
		rmdir(path);
	}
}

/* Remount: A and the ext4 stay enforced throughout, while B's mode changes. */
static void remount(void)
{
	static const char *const states[] = { "utf8val=off", "utf8val=audit",
					      "utf8val=enforce", "" };

	switch (any(4)) {
	case 0:
		do_remount(any(2) ? "/A" : "/E", "utf8val=enforce");
		break;
	case 1:
		do_remount(any(2) ? "/A" : "/E", "");
		break;
	case 2:
		/* a mount that fails because the state differs */
		do_mount("ext4", "/dev/vda", "/E2", "utf8val=off");
		break;
	default:
		do_remount("/B", states[any(4)]);
	}
	shown("/A", "utf8val");
}

/* the steps of all tasks, and how many there must be on any machine */
#define STEPS 20000
static unsigned long *steps;

static void task(int number, time_t end)
{
	static const char *const places[] = { "/A", "/A/sub", "/B", "/E",
					      "/E/sub" };
	unsigned long times = 0;
	time_t now, told = 0;

	seed += (uint64_t)number * 0x9E3779B97F4A7C15u;
	while ((now = time(NULL)) < end || *steps < STEPS) {
		if (!number && now >= told + 10) {
			printf("# %ld seconds to go, %lu steps done\n",
			       now < end ? (long)(end - now) : 0, *steps);
			fflush(stdout);
			told = now;
		}
		if (number < 2 && !(times % 50))
			remount();
		work(places[any(5)]);
		times++;
		__atomic_fetch_add(steps, 1, __ATOMIC_RELAXED);
	}
	_exit(0);
}

static unsigned int bad_left, names_left;

static void look(const char *where)
{
	DIR *dir = opendir(where);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		names_left++;
		bad_left += oracle_check((const uint8_t *)entry->d_name,
					 strlen(entry->d_name)).reason != UTF8VAL_OK;
		if (entry->d_type == DT_DIR)
			look(text_of("%s/%s", where, entry->d_name));
	}
	if (dir)
		closedir(dir);
}

static void left(const char *where)
{
	bad_left = 0;
	names_left = 0;
	look(where);
	tap_is(bad_left, 0, "4: no bad name on disk in %s", where);
	tap(names_left > 20, "4: but good ones: %u", names_left);
}

int main(int argc, char **argv)
{
	long seconds = argc > 1 ? atol(argv[1]) : 60;
	struct counts counts;
	int status, failed = 0;
	time_t end;

	seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 3629;
	printf("# seed %lu, %ld seconds\n", (unsigned long)seed, seconds);
	tap_is(mount_tmpfs("/A", "utf8val=enforce"), 0, "12: A");
	tap_is(mount_tmpfs("/B", "utf8val=off"), 0, "12: B");
	tap_is(do_mount("ext4", "/dev/vda", "/E", "utf8val=enforce"), 0, "12: E");
	mkdir("/E2", 0755);
	mkdir("/A/sub", 0755);
	mkdir("/E/sub", 0755);
	steps = mmap(NULL, sizeof(*steps), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (steps == MAP_FAILED)
		return 1;
	fflush(stdout);
	end = time(NULL) + seconds;
	for (int i = 0; i < TASKS; i++)
		if (!fork())
			task(i, end);
	while (wait(&status) > 0)
		failed += status != 0;
	tap_is(failed, 0, "%d tasks end well", TASKS);
	left("/A");
	left("/E");
	tap(shown("/A", "utf8val=enforce") && shown("/E", "utf8val=enforce"),
	    "11: both are still enforced");
	counts = read_counts();
	if (guarded())
		tap(counts.denied > 100, "25: %lu names checked, %lu refused",
		    counts.checked, counts.denied);
	umount("/E");
	tap_is(do_mount("ext4", "/dev/vda", "/E", ""), 0, "12: E again");
	left("/E");
	return tap_end();
}
