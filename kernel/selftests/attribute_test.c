// SPDX-License-Identifier: GPL-2.0-only
/*
 * The extended attribute security.utf8val. Run by root, on a kernel with
 * CONFIG_SECURITY_UTF8VAL, with and without utf8val.persistent=on.
 */
#include "common.h"

#include <sys/xattr.h>

#define ATTRIBUTE "security.utf8val"
#define NOBODY 65534
/* "Y" if the attribute counts, as the kernel's command line has to have it */
#define PERSISTENT "/sys/module/utf8val/parameters/persistent"

static int set(const char *path, const char *value)
{
	return result(setxattr(path, ATTRIBUTE, value, strlen(value), 0));
}

TEST_F(option, the_nearest_directory_decides)
{
	bool asked;
	int exempt;

	mount("sysfs", "/sys", "sysfs", 0, NULL);
	asked = file_has("/proc/cmdline", "utf8val.persistent=on");
	ASSERT_EQ(asked, file_has(PERSISTENT, "Y"));
	exempt = asked ? 0 : -EILSEQ;
	ASSERT_EQ(0, guard("utf8val=enforce"));
	ASSERT_EQ(0, mkdir("area", 0700));
	ASSERT_EQ(0, mkdir("area/below", 0700));
	EXPECT_EQ(-EILSEQ, create("area/" BAD));
	ASSERT_EQ(0, set("area", "off"));
	EXPECT_EQ(exempt, create("area/" BAD));
	EXPECT_EQ(exempt, create("area/below/" BAD));
	EXPECT_EQ(-EILSEQ, create(BAD));
	ASSERT_EQ(0, set("area/below", "enforce"));
	EXPECT_EQ(-EILSEQ, create("area/below/1" BAD));
	ASSERT_EQ(0, removexattr("area", ATTRIBUTE));
	EXPECT_EQ(-EILSEQ, create("area/1" BAD));
}

TEST_F(option, only_modes_of_directories_are_taken)
{
	ASSERT_EQ(0, mkdir("area", 0700));
	EXPECT_EQ(-EINVAL, set("old", "off"));
	EXPECT_EQ(-EINVAL, set("area", "maybe"));
	EXPECT_EQ(-EINVAL, set("area", ""));
	EXPECT_EQ(0, set("area", "audit"));
}

TEST_F(option, only_an_administrator_sets_and_removes_it)
{
	int status;

	ASSERT_EQ(0, mkdir("area", 0700));
	ASSERT_EQ(0, set("area", "off"));
	ASSERT_EQ(0, chown("area", NOBODY, NOBODY));
	if (!fork()) {
		if (setresuid(NOBODY, NOBODY, NOBODY))
			_exit(1);
		if (set("area", "off") != -EPERM)
			_exit(2);
		_exit(result(removexattr("area", ATTRIBUTE)) != -EPERM);
	}
	EXPECT_LT(0, wait(&status));
	EXPECT_EQ(0, status);
}

TEST_HARNESS_MAIN
