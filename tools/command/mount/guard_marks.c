// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val guard: the mount option on kernels that were not built with it. The guard is
 * loaded by a program of its own, utf8val-guard, with a library that this command does
 * without; the marks that utf8val-guard has set are read here.
 */
#include "mount/guard_marks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/mount.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/commands.h"
#include "base/text.h"

#define MARKS PINS "/marks"

/* Become utf8val-guard; says why that is not possible, and returns the errno value. */
static int become_guard(char **argv)
{
	static const char *const places[] = { "/usr/sbin/utf8val-guard",
					      "/usr/local/sbin/utf8val-guard",
					      "/sbin/utf8val-guard" };
	static const char name[] = "utf8val-guard";
	int error = ENOENT;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		execv(places[i], argv);
		if (errno != ENOENT)
			error = errno;
	}
	complain(name, strlen(name), "%s; the package utf8val-guard has it",
		 strerror(error));
	return error;
}

int guard_main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "enforce")) {
		/* the name of the subcommand in its messages */
		argv[1] = "utf8val guard enforce";
		return enforce_main(argc - 1, argv + 1);
	}
	become_guard(argv);
	return STATUS_TROUBLE;
}

int guard_run(char **argv, bool silent)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		if (silent)
			dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
		_exit(become_guard(argv) == ENOENT ? GUARD_NOT_FOUND : STATUS_TROUBLE);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return STATUS_TROUBLE;
	return WEXITSTATUS(status);
}

/*
 * Try the mount option: where a mount does not take it, no guard is in force. Where a
 * mount takes it, either a guard or the kernel may, so nothing is known.
 */
static enum guard_answer try_option(void)
{
	int fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
	bool refused;

	if (fs < 0)
		return GUARD_UNKNOWN;
	refused = syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, "utf8val",
			  "off", 0) && errno == EINVAL;
	close(fs);
	return refused ? GUARD_NOT_IN_FORCE : GUARD_UNKNOWN;
}

enum guard_answer guard_ask(void)
{
	char *argv[4] = { "utf8val-guard", "status", "--quiet", NULL };

	switch (guard_run(argv, true)) {
	case STATUS_GOOD:
		return GUARD_IN_FORCE;
	case STATUS_BAD:
		return GUARD_NOT_IN_FORCE;
	case GUARD_NOT_FOUND:
		return try_option();
	default:
		return GUARD_UNKNOWN;
	}
}

static int bpf(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* The kernel copies as many bytes as the map has, which may be another version's. */
static bool has_our_values(int map)
{
	struct bpf_map_info info = { 0 };
	union bpf_attr attr = { .info = { .bpf_fd = (uint32_t)map,
					  .info_len = sizeof(info),
					  .info = (uintptr_t)&info } };

	return !bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) && info.key_size == sizeof(uint64_t) &&
	       info.value_size == sizeof(struct guard_mark);
}

void guard_read(struct guard_marks *marks)
{
	union bpf_attr attr = { .pathname = (uintptr_t)MARKS,
				.file_flags = BPF_F_RDONLY };
	uint64_t key = 0, next = 0;
	size_t room = 0;
	bool first = true;
	int fd = bpf(BPF_OBJ_GET, &attr);

	marks->count = 0;
	marks->at = NULL;
	while (fd >= 0 && has_our_values(fd)) {
		struct guard_mark value;

		attr = (union bpf_attr){ .map_fd = (uint32_t)fd,
					 .key = first ? 0 : (uintptr_t)&key,
					 .next_key = (uintptr_t)&next };
		if (bpf(BPF_MAP_GET_NEXT_KEY, &attr))
			break;
		first = false;
		key = next;
		attr = (union bpf_attr){ .map_fd = (uint32_t)fd,
					 .key = (uintptr_t)&key,
					 .value = (uintptr_t)&value };
		/* The file system was unmounted since its key was read. */
		if (bpf(BPF_MAP_LOOKUP_ELEM, &attr))
			continue;
		*array_next(marks->at, marks->count, room) = value;
	}
	if (fd >= 0)
		close(fd);
}

const char *guard_mode(const struct guard_marks *marks, unsigned int dev)
{
#define NAME(id, word) \
		[GUARD_##id] = #word,
	static const char *const names[GUARD_MODES] = {
		UTF8VAL_MODE_LIST(NAME, NAME)
	};

	for (size_t i = 0; i < marks->count; i++) {
		if (marks->at[i].dev != dev)
			continue;
		/* The mode off behaves as if the file system were not marked. */
		if (marks->at[i].mode > GUARD_OFF && marks->at[i].mode < GUARD_MODES)
			return names[marks->at[i].mode];
	}
	return NULL;
}
