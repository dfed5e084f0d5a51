/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Definitions that the test of the verdicts and its program in the kernel share.
 * verdict.bpf.c and verdict_test.c include this.
 */
#ifndef UTF8VAL_GUARD_VERDICT_H
#define UTF8VAL_GUARD_VERDICT_H

#include <linux/types.h>

#define VERDICTS 4096

struct verdict {
	__u32 len;
	__u32 bad;	/* bits: 1 by pieces, 2 by words (short names) */
	__u8 name[256];
};

#endif /* UTF8VAL_GUARD_VERDICT_H */
