/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The self-test of the programs, on a separate mount. active.c and start.c call it. */
#ifndef UTF8VAL_GUARD_SELFTEST_H
#define UTF8VAL_GUARD_SELFTEST_H

#include <stdbool.h>

#include <linux/types.h>

enum selftest_result {
	SELFTEST_PASSED,
	SELFTEST_NOT_CALLED,	/* no program has answered to the option */
	SELFTEST_FAILED,
	SELFTEST_IMPOSSIBLE,	/* the try itself has failed */
	SELFTEST_OTHER_VERSION,	/* the pinned marks have another layout */
};

struct selftest {
	enum selftest_result result;
	char text[192];		/* what was seen, unless it has passed */
};

/* The programs to try, and how. */
struct selftest_of {
	const int *maps;	/* one for each enum map; NULL: those that are pinned */
	__u64 generation;	/* which programs have to refuse the bad names */
	const char *mode;	/* "audit" or "enforce" */
	bool without_option;	/* the mode is set as utf8val-guard set does */
};

/*
 * Mount a tmpfs with utf8val=MODE, and make names of each kind on it. The mount is
 * attached nowhere, so nobody else sees it; what is refused there is neither counted
 * nor logged.
 */
struct selftest selftest(const struct selftest_of *of);

/* Does a mount take the option, thanks to this guard or to anything else? */
bool option_is_taken(void);

#endif /* UTF8VAL_GUARD_SELFTEST_H */
