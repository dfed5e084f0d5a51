/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Try the programs on a mount of their own. */
#ifndef UTF8VAL_GUARD_SELFTEST_H
#define UTF8VAL_GUARD_SELFTEST_H

#include <linux/types.h>

enum selftest_result {
	SELFTEST_PASSED,
	SELFTEST_NOT_CALLED,	/* no program has answered to the option */
	SELFTEST_FAILED,
	SELFTEST_IMPOSSIBLE,	/* the kernel has no room for a mount to try it on */
};

struct selftest {
	enum selftest_result result;
	char text[128];		/* what was seen, unless it has passed */
};

/*
 * Mount a tmpfs with utf8val=@mode, "audit" or "enforce", and make names of
 * each kind on it. The mount is attached nowhere, so nobody else sees it.
 * @marks: the map of marks. @generation: the programs that have to refuse the
 * bad names; what they refuse here is neither counted nor logged.
 */
struct selftest selftest(int marks, __u64 generation, const char *mode);

#endif /* UTF8VAL_GUARD_SELFTEST_H */
