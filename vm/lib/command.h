/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * For the tests of commands: run one, look at what it says, remove the guard's pins.
 * The tests of the commands and of the guard include this.
 */
#ifndef UTF8VAL_VM_COMMAND_H
#define UTF8VAL_VM_COMMAND_H

#include <glob.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/shared/guard_maps.h"
#include "guard.h"

#define COMMAND "/bin/utf8val"
/* a later version of the guard, to take over from the other */
#define NEXT "/sbin/utf8val-guard-next"
/* a version of the guard that lets every name pass */
#define BLIND "/sbin/utf8val-guard-blind"

static char output[1 << 16];

static inline int run_with(const char *program, const char *const *args)
{
	output[0] = '\0';
	return guard_run(program, args, output, sizeof(output), true);
}

/* Run a program with these arguments, and keep in output all that it prints. */
#define run_program(program, ...) \
	run_with(program, (const char *const[]){ __VA_ARGS__, NULL })
#define run(...) run_program(GUARD_PROGRAM, __VA_ARGS__)

/* Print the output in one line of a comment. Returns: false. */
static inline bool show_output(void)
{
	for (char *c = output; *c; c++)
		if (*c == '\n')
			*c = '|';
	printf("# it said: %s\n", output);
	return false;
}

static inline bool it_said(const char *text)
{
	return strstr(output, text) || show_output();
}

/* The paths below PINS that match a shell's pattern; this memory stays. */
static inline glob_t pins(const char *pattern)
{
	char path[256];
	glob_t found;

	snprintf(path, sizeof(path), PINS "/%s", pattern);
	if (glob(path, 0, NULL, &found))
		found = (glob_t){ 0 };
	return found;
}

static inline int bpf_call(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* Remove the pins of the program of this name, or of all programs if it is "*". */
static inline void remove_pins(const char *program)
{
	char pattern[128];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "programs-*/%s", program);
	found = pins(pattern);
	for (size_t i = 0; i < found.gl_pathc; i++)
		unlink(found.gl_pathv[i]);
}

#endif /* UTF8VAL_VM_COMMAND_H */
