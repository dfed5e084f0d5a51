// SPDX-License-Identifier: GPL-2.0-only
/* With utf8val=enforce, a bad name that was removed may come back. Run by root. */
#include "common.h"

TEST_F(option, what_a_process_removes_it_may_create_again)
{
	int status;

	ASSERT_EQ(0, guard("utf8val=enforce"));
	EXPECT_EQ(0, unlink("old" BAD));
	EXPECT_EQ(-EILSEQ, create("dir" BAD "/old" BAD));
	if (!fork())
		_exit(create("old" BAD) != -EILSEQ);
	EXPECT_LT(0, wait(&status));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, create("old" BAD));
}

TEST_HARNESS_MAIN
