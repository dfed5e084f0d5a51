/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of utf8val have in common: a tmpfs in a mount namespace of the
 * test's own, which has names from before anything was checked.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../kselftest_harness.h"

#define GOOD "caf\xC3\xA9"
#define BAD "caf\xE9"

static int result(int value)
{
	return value < 0 ? -errno : 0;
}

static int create(const char *name)
{
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);

	if (fd < 0)
		return -errno;
	return result(close(fd));
}

/* Does a small file have this text? */
static bool file_has(const char *path, const char *text)
{
	char have[512] = "";
	int fd = open(path, O_RDONLY);

	if (fd >= 0) {
		if (read(fd, have, sizeof(have) - 1) < 0)
			have[0] = '\0';
		close(fd);
	}
	return strstr(have, text);
}

FIXTURE(option)
{
	char dir[32];
};

/* Remount the working directory's file system with these options. */
static int guard(const char *data)
{
	return result(mount(NULL, ".", NULL, MS_REMOUNT, data));
}

FIXTURE_SETUP(option)
{
	if (geteuid())
		SKIP(return, "needs root");
	ASSERT_EQ(0, unshare(CLONE_NEWNS));
	ASSERT_EQ(0, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	/*
	 * a bare guest has nothing mounted yet; elsewhere this fails with EBUSY
	 */
	mount("securityfs", "/sys/kernel/security", "securityfs", 0, NULL);
	if (!file_has("/sys/kernel/security/lsm", "utf8val"))
		SKIP(return, "utf8val is not among the kernel's security modules");
	snprintf(self->dir, sizeof(self->dir), "/tmp/utf8val.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->dir));
	/* whatever the kernel's command line has for mounts without the option */
	ASSERT_EQ(0, mount("utf8val_test", self->dir, "tmpfs", 0, "utf8val=off"));
	ASSERT_EQ(0, chdir(self->dir));
	ASSERT_EQ(0, create("old" BAD));
	ASSERT_EQ(0, create("old"));
	ASSERT_EQ(0, mkdir("dir" BAD, 0700));
}

FIXTURE_TEARDOWN(option)
{
	if (!self->dir[0])
		return;
	EXPECT_EQ(0, chdir("/"));
	EXPECT_EQ(0, umount(self->dir));
	EXPECT_EQ(0, rmdir(self->dir));
}
