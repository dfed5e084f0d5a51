/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Read the guard's log, counters and modes, in tests that run with the guard and also
 * with the built-in module. command.h, fs.h and deviations.h include this.
 */
#ifndef UTF8VAL_VM_GUARD_H
#define UTF8VAL_VM_GUARD_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define GUARD_PROGRAM "/sbin/utf8val-guard"

/* Is the guard tested? If so, the machine's init has started it. */
static inline bool guarded(void)
{
	return getenv("GUARD");
}

/* The running kernel's version: 1000 * major + minor. */
static inline unsigned int linux_now(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname name;

	uname(&name);
	if (sscanf(name.release, "%u.%u", &major, &minor) != 2)
		return 0;
	return 1000 * major + minor;
}

/*
 * Run a program, for example a guard, with these arguments, which NULL ends. The
 * program's output is appended to @text, a string in a buffer of @size bytes. Messages
 * on standard error are appended if @complaints is true. Returns: the exit status, or
 * minus the number of the signal that ended it.
 */
static inline int guard_run(const char *program, const char *const *args,
			    char *text, size_t size, bool complaints)
{
	const char *argv[16] = { program };
	size_t len = strlen(text);
	int ends[2], status;
	ssize_t got;
	pid_t child;

	for (size_t i = 0; args[i] && i < 14; i++)
		argv[i + 1] = args[i];
	fflush(stdout);
	if (pipe(ends))
		return -1;
	child = fork();
	if (!child) {
		dup2(ends[1], STDOUT_FILENO);
		if (complaints)
			dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		execv(program, (char *const *)argv);
		_exit(127);
	}
	close(ends[1]);
	while (len < size - 1 && (got = read(ends[0], text + len, size - 1 - len)) > 0)
		len += (size_t)got;
	text[len] = '\0';
	close(ends[0]);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* The present output of the guard's status. */
static inline const char *guard_status(void)
{
	static const char *const args[] = { "status", NULL };
	static char text[1 << 16];

	text[0] = '\0';
	guard_run(GUARD_PROGRAM, args, text, sizeof(text), false);
	return text;
}

/*
 * Wait until the guard's status has nothing of this type of file systems. The kernel ends
 * a namespace and its mounts some time after the last process. Returns: is nothing left?
 */
static inline bool until_unmarked(const char *type)
{
	for (int i = 0; i < 3000 && strstr(guard_status(), type); i++)
		usleep(100000);
	return !strstr(guard_status(), type);
}

/* All that the guard's log has told so far. */
static inline const char *guard_log(void)
{
	static const char *const args[] = { "log", NULL };
	static char text[1 << 20];

	guard_run(GUARD_PROGRAM, args, text, sizeof(text), false);
	return text;
}

/* ",utf8val=MODE" if the file system on this device has a mode by the guard, or "". */
static inline const char *guard_option(unsigned int major, unsigned int minor)
{
	static char option[32];
	char line[1024];
	FILE *file = fmemopen((char *)guard_status(), 1 << 16, "r");

	option[0] = '\0';
	while (file && fgets(line, sizeof(line), file)) {
		unsigned int its_major, its_minor;
		char mode[16];

		if (sscanf(line, "%15s %u:%u", mode, &its_major, &its_minor) == 3 &&
		    its_major == major && its_minor == minor && strcmp(mode, "off"))
			snprintf(option, sizeof(option), ",utf8val=%s", mode);
	}
	if (file)
		fclose(file);
	return option;
}

#endif /* UTF8VAL_VM_GUARD_H */
