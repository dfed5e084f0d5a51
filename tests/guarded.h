/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* For host programs that check input between pages that cannot be read; TAP. */
#ifndef UTF8VAL_TESTS_GUARDED_H
#define UTF8VAL_TESTS_GUARDED_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct named_check {
	const char *name;
	bool (*check)(void);
};

static inline void die(const char *what)
{
	printf("Bail out! %s failed\n", what);
	exit(2);
}

static inline void on_fault(int signal)
{
	static const char text[] = "Bail out! a guard page was touched in the next point\n";

	(void)signal;
	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(3);
	_exit(2);
}

/*
 * Returns: @size bytes, a multiple of the size of a page, with pages on both sides that
 * cannot be read. Touching one of these ends the program with a message.
 */
static inline uint8_t *guarded_memory(size_t size)
{
	uint8_t *map = mmap(NULL, 3 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		die("mmap");
	if (mprotect(map + size, size, PROT_READ | PROT_WRITE))
		die("mprotect");
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGSEGV, on_fault);
	signal(SIGBUS, on_fault);
	return map + size;
}

/* Is the one option --short given? Any other argument ends the program. */
static inline bool is_short(int argc, char **argv)
{
	bool brief = argc == 2 && !strcmp(argv[1], "--short");

	if (argc > 1 && !brief) {
		fprintf(stderr, "usage: %s [--short]\n", argv[0]);
		exit(2);
	}
	return brief;
}

/*
 * Print a point for each check; with @lack no check is run, and @lack is why. Returns:
 * the program's exit status.
 */
static inline int run_checks(const struct named_check *checks, size_t count, const char *lack)
{
	bool failed = false;

	printf("1..%zu\n", count);
	for (size_t i = 0; i < count; i++) {
		bool passed = lack || checks[i].check();

		printf("%s %zu - %s%s%s\n", passed ? "ok" : "not ok", i + 1, checks[i].name,
		       lack ? " # SKIP " : "", lack ? lack : "");
		failed |= !passed;
	}
	return failed;
}

#endif /* UTF8VAL_TESTS_GUARDED_H */
