// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mount option utf8val=, with mount(2) and fsconfig(2), on a tmpfs in a mount
 * namespace of the test, which has names from before anything was checked. Runs
 * as root, on a kernel with CONFIG_FS_UTF8VAL.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/mount.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../kselftest_harness.h"

#define GOOD "caf\xC3\xA9"
#define BAD "caf\xE9"

/* names of each kind that RFC 3629 excludes */
static const char *const bad_names[] = {
	"\xC0\xAF",		/* overlong */
	"\xE0\x9F\xBF",
	"\xF0\x8F\xBF\xBF",
	"\xED\xA0\x80",		/* surrogate */
	"\xF4\x90\x80\x80",	/* above U+10FFFF */
	"\xFF",			/* never used */
	"\x80",			/* a tail without a lead */
	"\xE4\xBD",		/* cut short */
	"\xE4\xBDz",
	BAD,
};

/* names that are well-formed, though some are hard to read */
static const char *const good_names[] = {
	"a", "\x01\x1B[2J", GOOD, "cafe\xCC\x81", "\xEF\xBF\xBE",
	"\xF4\x8F\xBF\xBF", "\xCD\xB8", "\xE2\x80\xAE",
};

static int result(long value)
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

/* Remount the working directory's file system with these options. */
static int remount(const char *data)
{
	return result(mount(NULL, ".", NULL, MS_REMOUNT, data));
}

static int configure(int fd, unsigned int command, const char *key,
		     const char *value)
{
	return result(syscall(__NR_fsconfig, fd, command, key, value, 0));
}

/* Is this among the options of the mount at a path, in /proc/self/mounts? */
static bool shown(const char *path, const char *option)
{
	char line[1024], point[256], options[512];
	FILE *mounts = fopen("/proc/self/mounts", "r");
	bool found = false;

	while (mounts && fgets(line, sizeof(line), mounts))
		if (sscanf(line, "%*s %255s %*s %511s", point, options) == 2 &&
		    !strcmp(point, path))
			found = strstr(options, option);
	if (mounts)
		fclose(mounts);
	return found;
}

FIXTURE(option)
{
	char dir[32];
	char other[32];
};

FIXTURE_SETUP(option)
{
	int context, ret;

	if (geteuid())
		SKIP(return, "needs root");
	context = syscall(__NR_fsopen, "tmpfs", 0);
	ASSERT_LE(0, context);
	ret = configure(context, FSCONFIG_SET_STRING, "utf8val", "off");
	close(context);
	if (ret == -EINVAL)
		SKIP(return, "this kernel has no CONFIG_FS_UTF8VAL");
	ASSERT_EQ(0, unshare(CLONE_NEWNS));
	ASSERT_EQ(0, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	snprintf(self->dir, sizeof(self->dir), "/tmp/utf8val.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->dir));
	snprintf(self->other, sizeof(self->other), "/tmp/utf8val.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->other));
	ASSERT_EQ(0, mount("utf8val_test", self->dir, "tmpfs", 0, NULL));
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
	umount(self->other);
	EXPECT_EQ(0, umount(self->dir));
	EXPECT_EQ(0, rmdir(self->dir));
	EXPECT_EQ(0, rmdir(self->other));
}

TEST_F(option, enforce_refuses_each_bad_name)
{
	size_t i;

	ASSERT_EQ(0, remount("utf8val=enforce"));
	for (i = 0; i < ARRAY_SIZE(bad_names); i++) {
		const char *name = bad_names[i];

		EXPECT_EQ(-EILSEQ, create(name));
		EXPECT_EQ(-EILSEQ, result(mkdir(name, 0700)));
		EXPECT_EQ(-EILSEQ, result(mknod(name, S_IFIFO | 0600, 0)));
		EXPECT_EQ(-EILSEQ, result(symlink("old", name)));
		EXPECT_EQ(-EILSEQ, result(link("old", name)));
		EXPECT_EQ(-EILSEQ, result(rename("old", name)));
	}
}

TEST_F(option, enforce_allows_what_is_well_formed)
{
	size_t i;

	ASSERT_EQ(0, remount("utf8val=enforce"));
	for (i = 0; i < ARRAY_SIZE(good_names); i++)
		EXPECT_EQ(0, create(good_names[i]));
	/* the target of a symbolic link is no name, and is not checked */
	EXPECT_EQ(0, symlink(BAD, "link"));
}

TEST_F(option, names_that_are_there_stay_usable)
{
	struct stat status;
	int fd;

	ASSERT_EQ(0, remount("utf8val=enforce"));
	EXPECT_EQ(0, stat("old" BAD, &status));
	fd = open("old" BAD, O_CREAT | O_RDWR, 0600);
	ASSERT_LE(0, fd);
	EXPECT_EQ(1, write(fd, "x", 1));
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(-EEXIST, create("old" BAD));
	EXPECT_EQ(0, create("dir" BAD "/inside"));
	EXPECT_EQ(-EILSEQ, result(rename("old" BAD, "new" BAD)));
	EXPECT_EQ(-EILSEQ,
		  result(rename("old" BAD, "dir" BAD "/old" BAD)));
	EXPECT_EQ(0, result(syscall(__NR_renameat2, AT_FDCWD, "old",
				    AT_FDCWD, "old" BAD, RENAME_EXCHANGE)));
	EXPECT_EQ(0, rename("old" BAD, GOOD));
	EXPECT_EQ(0, unlink("dir" BAD "/inside"));
	EXPECT_EQ(0, rmdir("dir" BAD));
	EXPECT_EQ(-EILSEQ, result(mkdir("dir" BAD, 0700)));
}

TEST_F(option, a_remount_sets_any_mode)
{
	ASSERT_EQ(0, remount("utf8val=audit"));
	EXPECT_TRUE(shown(self->dir, ",utf8val=audit"));
	EXPECT_EQ(0, create(BAD "1"));
	ASSERT_EQ(0, remount("utf8val=off"));
	EXPECT_FALSE(shown(self->dir, "utf8val"));
	EXPECT_EQ(0, create(BAD "2"));
	ASSERT_EQ(0, remount("utf8val=enforce"));
	EXPECT_TRUE(shown(self->dir, ",utf8val=enforce"));
	EXPECT_EQ(-EILSEQ, create(BAD "3"));
	/* a remount without the option leaves the mode as it is */
	ASSERT_EQ(0, remount("mode=755"));
	EXPECT_EQ(-EILSEQ, create(BAD "3"));
	/* and so does one that fails */
	ASSERT_EQ(-EINVAL, remount("utf8val=off,size=x"));
	EXPECT_EQ(-EILSEQ, create(BAD "3"));
	/* mount(8) gives the mode that is there before the one that is asked for */
	ASSERT_EQ(0, remount("utf8val=enforce,utf8val=audit"));
	EXPECT_EQ(0, create(BAD "3"));
	ASSERT_EQ(0, remount("utf8val=audit,utf8val=enforce"));
	EXPECT_EQ(-EILSEQ, create(BAD "4"));
}

TEST_F(option, only_three_values_are_taken)
{
	static const char *const wrong[] = {
		"utf8val", "utf8val=", "utf8val=maybe", "utf8val=1",
		"utf8val=unset", "utf8val=off,utf8val=maybe",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		EXPECT_EQ(-EINVAL, remount(wrong[i]));
	EXPECT_EQ(0, create(BAD));
}

TEST_F(option, fsconfig_sets_it)
{
	int context = syscall(__NR_fsopen, "tmpfs", 0), mnt;

	EXPECT_EQ(-EINVAL, configure(context, FSCONFIG_SET_FLAG, "utf8val", NULL));
	EXPECT_EQ(-EINVAL, configure(context, FSCONFIG_SET_STRING, "utf8val", "x"));
	ASSERT_EQ(0, configure(context, FSCONFIG_SET_STRING, "utf8val", "enforce"));
	/* the last value counts */
	ASSERT_EQ(0, configure(context, FSCONFIG_SET_STRING, "utf8val", "off"));
	ASSERT_EQ(0, configure(context, FSCONFIG_SET_STRING, "utf8val", "enforce"));
	ASSERT_EQ(0, configure(context, FSCONFIG_CMD_CREATE, NULL, NULL));
	mnt = syscall(__NR_fsmount, context, 0, 0);
	ASSERT_LE(0, mnt);
	ASSERT_EQ(0, syscall(__NR_move_mount, mnt, "", AT_FDCWD, self->other,
			     MOVE_MOUNT_F_EMPTY_PATH));
	ASSERT_EQ(0, chdir(self->other));
	EXPECT_EQ(-EILSEQ, create(BAD));
	/* the context stays, for a remount, and begins with no option */
	ASSERT_EQ(0, configure(context, FSCONFIG_CMD_RECONFIGURE, NULL, NULL));
	EXPECT_EQ(-EILSEQ, create(BAD));
	ASSERT_EQ(0, configure(context, FSCONFIG_SET_STRING, "utf8val", "audit"));
	EXPECT_EQ(-EILSEQ, create(BAD));
	ASSERT_EQ(0, configure(context, FSCONFIG_CMD_RECONFIGURE, NULL, NULL));
	EXPECT_EQ(0, create(BAD));
	close(mnt);
	close(context);
	ASSERT_EQ(0, chdir(self->dir));
}

TEST_F(option, a_bind_mount_shares_it)
{
	ASSERT_EQ(0, remount("utf8val=enforce"));
	ASSERT_EQ(0, mount(".", self->other, NULL, MS_BIND, NULL));
	/* a bind mount's own remount changes nothing of the file system */
	ASSERT_EQ(0, mount(NULL, self->other, NULL, MS_REMOUNT | MS_BIND,
			   "utf8val=off"));
	ASSERT_EQ(0, chdir(self->other));
	EXPECT_EQ(-EILSEQ, create(BAD));
	ASSERT_EQ(0, chdir(self->dir));
}

TEST_F(option, a_file_without_a_name_gets_one)
{
	int fd = open(".", O_TMPFILE | O_WRONLY, 0600);
	char path[32];

	ASSERT_EQ(0, remount("utf8val=enforce"));
	ASSERT_LE(0, fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	EXPECT_EQ(-EILSEQ, result(linkat(AT_FDCWD, path, AT_FDCWD, BAD,
					 AT_SYMLINK_FOLLOW)));
	EXPECT_EQ(0, result(linkat(AT_FDCWD, path, AT_FDCWD, GOOD,
				   AT_SYMLINK_FOLLOW)));
	EXPECT_EQ(0, close(fd));
}

/*
 * Mount mqueue, but nowhere yet. It has one superblock in each IPC namespace, which the
 * kernel creates without a mode. Returns: the context, or a negative errno.
 */
static int mqueue_context(const char *mode)
{
	int context = syscall(__NR_fsopen, "mqueue", 0);
	int ret;

	if (context < 0)
		return -errno;
	ret = configure(context, FSCONFIG_SET_STRING, "utf8val", mode) ?:
		configure(context, FSCONFIG_CMD_CREATE, NULL, NULL);
	if (!ret)
		return context;
	close(context);
	return ret;
}

TEST_F(option, a_second_mount)
{
	int context;

	if (unshare(CLONE_NEWIPC) ||
	    mount("none", self->other, "mqueue", 0, NULL))
		SKIP(return, "no mqueue here");
	EXPECT_FALSE(shown(self->other, "utf8val"));
	/* a mount that fails leaves the superblock without a mode */
	EXPECT_EQ(-EINVAL, result(mount("none", self->other, "mqueue", 0,
					"utf8val=enforce,unknown")));
	EXPECT_FALSE(shown(self->other, "utf8val"));
	context = mqueue_context("enforce");
	ASSERT_LE(0, context);
	close(context);
	EXPECT_TRUE(shown(self->other, ",utf8val=enforce"));
	EXPECT_EQ(-EBUSY, mqueue_context("audit"));
	EXPECT_EQ(-EBUSY, mqueue_context("off"));
	EXPECT_EQ(0, umount(self->other));
	EXPECT_EQ(0, mount("none", self->other, "mqueue", 0, NULL));
	ASSERT_EQ(0, chdir(self->other));
	EXPECT_EQ(-EILSEQ, create(BAD));
	EXPECT_EQ(0, create(GOOD));
	ASSERT_EQ(0, chdir(self->dir));
	EXPECT_EQ(0, umount(self->other));
}

TEST_F(option, a_mount_has_the_mode_that_it_asked_for)
{
	int context, mnt;

	if (unshare(CLONE_NEWIPC))
		SKIP(return, "no IPC namespaces here");
	context = mqueue_context("enforce");
	if (context == -ENODEV)
		SKIP(return, "no mqueue here");
	ASSERT_LE(0, context);
	/* not even while the first mount is nowhere yet can another one differ */
	EXPECT_EQ(-EBUSY, mqueue_context("audit"));
	EXPECT_EQ(-EBUSY, result(mount("none", self->other, "mqueue", 0,
				       "utf8val=audit")));
	mnt = syscall(__NR_fsmount, context, 0, 0);
	ASSERT_LE(0, mnt);
	ASSERT_EQ(0, syscall(__NR_move_mount, mnt, "", AT_FDCWD, self->other,
			     MOVE_MOUNT_F_EMPTY_PATH));
	EXPECT_TRUE(shown(self->other, ",utf8val=enforce"));
	close(mnt);
	close(context);
}

/* A mount of the same superblock on itself fails late, in attaching it. */
TEST_F(option, the_mode_stays_if_a_mount_is_not_attached)
{
	if (unshare(CLONE_NEWIPC) ||
	    mount("none", self->other, "mqueue", 0, NULL))
		SKIP(return, "no mqueue here");
	EXPECT_EQ(-EBUSY, result(mount("none", self->other, "mqueue", 0,
				       "utf8val=enforce")));
	EXPECT_TRUE(shown(self->other, ",utf8val=enforce"));
}

TEST_F(option, an_overlay_has_its_own)
{
	char options[128];

	ASSERT_EQ(0, mkdir("upper", 0700));
	ASSERT_EQ(0, mkdir("work", 0700));
	snprintf(options, sizeof(options),
		 "lowerdir=/,upperdir=%s/upper,workdir=%s/work,utf8val=enforce",
		 self->dir, self->dir);
	if (mount("none", self->other, "overlay", 0, options))
		SKIP(return, "no overlay on this tmpfs");
	EXPECT_TRUE(shown(self->other, ",utf8val=enforce"));
	EXPECT_EQ(0, create("upper/" BAD "1"));
	ASSERT_EQ(0, chdir(self->other));
	EXPECT_EQ(-EILSEQ, create(BAD));
	/* its upper layer decides for itself, too */
	ASSERT_EQ(0, remount("utf8val=off"));
	EXPECT_EQ(0, create(BAD "2"));
	ASSERT_EQ(0, mount(NULL, self->dir, NULL, MS_REMOUNT, "utf8val=enforce"));
	EXPECT_EQ(-EILSEQ, create(BAD "3"));
	ASSERT_EQ(0, chdir(self->dir));
}

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	int ret = fd < 0 ? -errno : result(write(fd, text, strlen(text)));

	if (fd >= 0)
		close(fd);
	return ret;
}

#define NO_USER_NAMESPACES 255

/*
 * What a container's root does; returns the step that fails, or 0. Without an ID
 * that is mapped he could create nothing.
 */
static int in_container(const char *dir)
{
	int context;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return NO_USER_NAMESPACES;
	if (put("/proc/self/setgroups", "deny") ||
	    put("/proc/self/uid_map", "0 0 1") ||
	    put("/proc/self/gid_map", "0 0 1"))
		return 7;
	/* no owner of the outer tmpfs */
	if (remount("utf8val=off") != -EPERM)
		return 1;
	/* nor of the superblocks of a type that the initial namespace owns */
	context = syscall(__NR_fsopen, "cgroup2", 0);
	if ((context >= 0 || errno != ENODEV) &&
	    configure(context, FSCONFIG_SET_STRING, "utf8val", "off") != -EPERM)
		return 8;
	close(context);
	if (mount("none", dir, "tmpfs", 0, "utf8val=enforce"))
		return 2;
	if (chdir(dir))
		return 3;
	if (create(BAD) != -EILSEQ)
		return 4;
	if (remount("utf8val=off"))
		return 5;
	if (create(BAD))
		return 6;
	return 0;
}

TEST_F(option, a_user_namespace_has_its_own)
{
	int status;

	ASSERT_EQ(0, remount("utf8val=enforce"));
	if (!fork())
		_exit(in_container(self->other));
	ASSERT_LT(0, wait(&status));
	ASSERT_TRUE(WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_USER_NAMESPACES)
		SKIP(return, "no user namespaces here");
	EXPECT_EQ(0, WEXITSTATUS(status));
	EXPECT_EQ(-EILSEQ, create(BAD));
}

TEST_HARNESS_MAIN
