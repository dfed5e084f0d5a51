// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Count the instructions for creating a file: the median of many calls of open(2) with
 * O_CREAT on tmpfs. Names have several lengths. The arguments are the modes ("none"
 * mounts without the option). Also count the instructions of two system calls that
 * check a capability and then reject their arguments.
 *
 * The program needs a time stamp counter that goes up by one with each instruction, for
 * example QEMU's with -icount shift=0. Each line of output has a text, its length, mode
 * and median, and the percentage of samples that equal the median. With "call" as the
 * length, the text is a system call's name.
 */
#include <stdint.h>
#include <sys/random.h>
#include <x86intrin.h>

#include "fs.h"

#define SAMPLES 2001
#define WHERE "/c"

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static const struct {
	const char *name, *unit;
} texts[] = {
	{ "ASCII", "n" },
	{ "3-byte", "\xE4\xBD\xA0" },
};

static const size_t lengths[] = { 14, 64, 255 };

/*
 * Make a name of whole characters, filled up with ASCII; each number gives another name.
 */
static void make_name(char *name, const char *unit, size_t len, int number)
{
	size_t at = (size_t)sprintf(name, "%05d", number);

	while (at + strlen(unit) <= len)
		at += (size_t)sprintf(name + at, "%s", unit);
	while (at < len)
		name[at++] = '.';
	name[at] = '\0';
}

/* Sort the samples, and print a line. */
static void tell(const char *text, const char *len, const char *mode, uint64_t *samples)
{
	int same = 0;

	qsort(samples, SAMPLES, sizeof(samples[0]), by_value);
	for (int i = 0; i < SAMPLES; i++)
		same += samples[i] == samples[SAMPLES / 2];
	printf("%s %s %s %llu %d\n", text, len, mode,
	       (unsigned long long)samples[SAMPLES / 2], same * 100 / SAMPLES);
}

static bool measure_call(const char *mode, const char *name, long number, long argument)
{
	static uint64_t samples[SAMPLES];

	for (int i = 0; i < SAMPLES; i++) {
		uint64_t begin = __rdtsc();
		long result = syscall(number, argument, -1L);

		samples[i] = __rdtsc() - begin;
		if (result != -1 || errno != EINVAL) {
			perror(name);
			return false;
		}
	}
	tell(name, "call", mode, samples);
	return true;
}

static bool measure(const char *mode, const char *text, const char *unit, size_t len)
{
	static uint64_t samples[SAMPLES];
	char name[256], length[24];

	for (int i = 0; i < SAMPLES; i++) {
		uint64_t begin;
		int fd;

		make_name(name, unit, len, i);
		begin = __rdtsc();
		fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0644);
		samples[i] = __rdtsc() - begin;
		if (fd < 0 || close(fd) || unlink(name)) {
			perror("create");
			return false;
		}
	}
	snprintf(length, sizeof(length), "%zu", len);
	tell(text, length, mode, samples);
	return true;
}

int main(int argc, char **argv)
{
	char seed;

	/*
	 * Until the kernel's random number generator is seeded, which takes a machine
	 * seconds after its start, each new inode costs some 10,000 instructions more.
	 * This call waits for the seed.
	 */
	if (getrandom(&seed, 1, 0) != 1) {
		perror("getrandom");
		return 1;
	}
	for (int i = 1; i < argc; i++) {
		char option[32] = "";

		if (strcmp(argv[i], "none"))
			snprintf(option, sizeof(option), "utf8val=%s", argv[i]);
		if (do_mount("tmpfs", "none", WHERE, option) || chdir(WHERE)) {
			perror("mount");
			return 1;
		}
		for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
			for (size_t n = 0; n < 3; n++)
				if (!measure(argv[i], texts[t].name,
					     texts[t].unit, lengths[n]))
					return 1;
		/* CAP_SETGID and CAP_SYS_ADMIN */
		if (!measure_call(argv[i], "setgroups", SYS_setgroups, -1) ||
		    !measure_call(argv[i], "sethostname", SYS_sethostname, 0))
			return 1;
		if (chdir("/") || umount(WHERE))
			return 1;
	}
	return 0;
}
