// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * utf8val guard: the mount option on kernels that were not built with it. What
 * loads it is a program of its own, with a library that this one does without;
 * what it has marked is read here.
 */
#include "mount/guard_marks.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/status.h"
#include "base/text.h"

#define MARKS "/sys/fs/bpf/utf8val/marks"

int guard_main(int argc, char **argv)
{
	static const char *const places[] = { "/usr/sbin/utf8val-guard",
					      "/usr/local/sbin/utf8val-guard" };
	int error = ENOENT;

	(void)argc;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		execv(places[i], argv);
		if (errno != ENOENT)
			error = errno;
	}
	complain(places[0], strlen(places[0]), "%s; the package utf8val-guard "
		 "has it", strerror(error));
	return STATUS_TROUBLE;
}

static int bpf(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

enum guard_answer guard_read(struct guard_marks *marks)
{
	union bpf_attr attr = { .pathname = (uintptr_t)MARKS,
				.file_flags = BPF_F_RDONLY };
	uint64_t key = 0, next = 0;
	bool first = true;
	int fd = bpf(BPF_OBJ_GET, &attr);

	marks->count = 0;
	marks->at = NULL;
	if (fd < 0)
		return errno == EPERM || errno == EACCES ? GUARD_HIDDEN :
							   GUARD_ABSENT;
	for (;;) {
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
		/* unmounted between */
		if (bpf(BPF_MAP_LOOKUP_ELEM, &attr))
			continue;
		marks->at = must(reallocarray(marks->at, marks->count + 1,
					      sizeof(value)));
		marks->at[marks->count++] = value;
	}
	close(fd);
	return GUARD_PRESENT;
}

const char *guard_mode(const struct guard_marks *marks, unsigned int major,
		       unsigned int minor)
{
#define NAME(id, word) \
		[GUARD_##id] = #word,
	static const char *const names[GUARD_MODES] = {
		UTF8VAL_MODE_LIST(NAME, NAME)
	};

	for (size_t i = 0; i < marks->count; i++) {
		if (marks->at[i].dev != (major << 20 | minor))
			continue;
		/* off behaves as if nothing were marked */
		if (marks->at[i].mode > GUARD_OFF &&
		    marks->at[i].mode < GUARD_MODES)
			return names[marks->at[i].mode];
	}
	return NULL;
}
