/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * For the tests of utf8val-guard itself: run the command, look at what it says,
 * remove pins.
 */
#ifndef UTF8VAL_VM_COMMAND_H
#define UTF8VAL_VM_COMMAND_H

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guard.h"

#define PINS "/sys/fs/bpf/utf8val"
/* a later version of the guard, to take over from the other */
#define NEXT "/sbin/utf8val-guard-next"
/* a version of the guard that lets every name pass */
#define BLIND "/sbin/utf8val-guard-blind"

static char output[1 << 16];

/* Run a guard, and keep in output all that it prints. */
static inline int run_program(const char *program, const char *one,
			      const char *two, const char *three)
{
	const char *const args[] = { one, two, three, NULL };

	output[0] = '\0';
	return guard_run(program, args, output, sizeof(output), true);
}

static inline int run(const char *one, const char *two, const char *three)
{
	return run_program(GUARD_PROGRAM, one, two, three);
}

static inline bool it_said(const char *text)
{
	if (strstr(output, text))
		return true;
	for (char *c = output; *c; c++)
		if (*c == '\n')
			*c = '|';
	printf("# it said: %s\n", output);
	return false;
}

/* Remove the pins of the program of this name, or of all if it is NULL. */
static inline void remove_pins(const char *one)
{
	DIR *dir = opendir(PINS);
	struct dirent *entry, *program;
	char path[1024];

	while (dir && (entry = readdir(dir))) {
		DIR *programs;

		if (strncmp(entry->d_name, "programs-", 9) != 0)
			continue;
		snprintf(path, sizeof(path), PINS "/%s", entry->d_name);
		programs = opendir(path);
		while (programs && (program = readdir(programs)))
			if (program->d_name[0] != '.' &&
			    (!one || !strcmp(program->d_name, one)))
				unlinkat(dirfd(programs), program->d_name, 0);
		if (programs)
			closedir(programs);
	}
	if (dir)
		closedir(dir);
}

#endif /* UTF8VAL_VM_COMMAND_H */
