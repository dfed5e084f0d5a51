// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Try what is loaded: a tmpfs that is attached nowhere, so that nobody else
 * sees it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "bpf/shared/guard_maps.h"
#include "guard_command.h"
#include "reasons.h"
#include "selftest.h"
#include "try_option.h"

#define GOOD_NAME "good \xC3\xA9"
#define BAD_NAME "bad \xFF"

static int way(int dir, size_t which, const char *name)
{
	int fd;

	switch (which) {
	case 0:
		fd = openat(dir, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
			    0600);
		return fd < 0 ? -1 : close(fd);
	case 1:
		return mkdirat(dir, name, 0700);
	case 2:
		return symlinkat("anywhere", dir, name);
	case 3:
		return mknodat(dir, name, S_IFIFO | 0600, 0);
	case 4:
		return linkat(dir, "seed", dir, name, 0);
	default:
		return renameat(dir, "moving", dir, name);
	}
}

static const char *const ways[] = {
	"create", "mkdir", "symlink", "mknod", "link", "rename"
};

static bool try_names(int dir)
{
	if (way(dir, 0, "seed") || way(dir, 0, "moving")) {
		complain("self-test: no file can be made on a new tmpfs: %s",
			 strerror(errno));
		return false;
	}
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!way(dir, i, BAD_NAME) || errno != EILSEQ) {
			complain("self-test: %s takes a name that is not UTF-8",
				 ways[i]);
			return false;
		}
		if (way(dir, i, GOOD_NAME)) {
			complain("self-test: %s refuses a good name: %s",
				 ways[i], strerror(errno));
			return false;
		}
		unlinkat(dir, GOOD_NAME, i == 1 ? AT_REMOVEDIR : 0);
	}
	return true;
}

/*
 * In the mark of the file system that this directory is on, put the generation
 * that is tried in the place of the type: what is tried there is neither counted
 * nor told of, and no other guard's programs answer. The mark goes with its file
 * system.
 */
static bool set_generation(int marks, int dir, __u64 generation)
{
	__u64 key, *last = NULL;
	struct guard_mark mark;
	struct stat st;
	__u32 dev;

	if (fstat(dir, &st))
		return false;
	dev = major(st.st_dev) << 20 | minor(st.st_dev);
	for (; !bpf_map_get_next_key(marks, last, &key); last = &key) {
		if (bpf_map_lookup_elem(marks, &key, &mark) || mark.dev != dev)
			continue;
		memset(mark.type, 0, sizeof(mark.type));
		mark.generation = generation;
		return !bpf_map_update_elem(marks, &key, &mark, BPF_EXIST);
	}
	return false;
}

bool selftest(int marks, __u64 generation)
{
	int fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
	int dir = -1;
	bool good = false;

	if (fs < 0) {
		complain("self-test: fsopen: %s", strerror(errno));
		return false;
	}
	if (!set_option(fs, "enforce")) {
		complain("self-test: utf8val= is not taken: %s",
			 strerror(errno));
		reasons_not_called();
		goto out;
	}
	if (!syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		dir = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	if (dir < 0) {
		complain("self-test: a tmpfs cannot be mounted: %s",
			 strerror(errno));
		goto out;
	}
	if (set_generation(marks, dir, generation))
		good = try_names(dir);
	else
		complain("self-test: a mount with the option has no mark");
	close(dir);
out:
	close(fs);
	return good;
}
