// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mount option utf8val=. Run by root, on a kernel with
 * CONFIG_SECURITY_UTF8VAL.
 */
#include "common.h"

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

TEST_F(option, enforce_refuses_each_bad_name)
{
	size_t i;

	ASSERT_EQ(0, guard("utf8val=enforce"));
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

	ASSERT_EQ(0, guard("utf8val=enforce"));
	for (i = 0; i < ARRAY_SIZE(good_names); i++)
		EXPECT_EQ(0, create(good_names[i]));
	/* the target of a symbolic link is no name, and is not checked */
	EXPECT_EQ(0, symlink(BAD, "link"));
}

TEST_F(option, names_that_are_there_stay_usable)
{
	struct stat status;
	int fd;

	ASSERT_EQ(0, guard("utf8val=enforce"));
	EXPECT_EQ(0, stat("old" BAD, &status));
	fd = open("old" BAD, O_CREAT | O_RDWR, 0600);
	ASSERT_LE(0, fd);
	EXPECT_EQ(1, write(fd, "x", 1));
	EXPECT_EQ(0, close(fd));
	EXPECT_EQ(0, create("dir" BAD "/inside"));
	EXPECT_EQ(-EILSEQ, result(rename("old" BAD, "new" BAD)));
	EXPECT_EQ(-EILSEQ,
		  result(rename("old" BAD, "dir" BAD "/old" BAD)));
	EXPECT_EQ(0, result(syscall(__NR_renameat2, AT_FDCWD, "old",
				    AT_FDCWD, "old" BAD, 1 << 1)));
	EXPECT_EQ(0, rename("old" BAD, GOOD));
	EXPECT_EQ(0, unlink("dir" BAD "/inside"));
	EXPECT_EQ(0, rmdir("dir" BAD));
}

TEST_F(option, audit_and_off_allow_everything)
{
	ASSERT_EQ(0, guard("utf8val=audit"));
	EXPECT_EQ(0, create(BAD "1"));
	ASSERT_EQ(0, guard("utf8val=off"));
	EXPECT_EQ(0, create(BAD "2"));
	ASSERT_EQ(0, guard("utf8val=enforce"));
	EXPECT_EQ(-EILSEQ, create(BAD "3"));
	/* a remount without the option leaves the mode as it is */
	ASSERT_EQ(0, guard("mode=755"));
	EXPECT_EQ(-EILSEQ, create(BAD "3"));
}

TEST_F(option, only_three_values_are_taken)
{
	static const char *const wrong[] = {
		"utf8val", "utf8val=", "utf8val=maybe", "utf8val=1",
		"utf8val=off,utf8val=enforce",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		EXPECT_EQ(-EINVAL, guard(wrong[i]));
	EXPECT_EQ(0, create(BAD));
}

TEST_F(option, mounts_show_it)
{
	char line[1024];
	bool shown = false;
	FILE *mounts;

	ASSERT_EQ(0, guard("utf8val=audit"));
	mounts = fopen("/proc/self/mounts", "r");
	ASSERT_NE(NULL, mounts);
	while (fgets(line, sizeof(line), mounts))
		if (strstr(line, self->dir) && strstr(line, ",utf8val=audit"))
			shown = true;
	fclose(mounts);
	EXPECT_TRUE(shown);
}

TEST_HARNESS_MAIN
