/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The part of the kernel's header that <linux/utf8val.h> needs in tests on a host.
 * tests/tests.mk and proof/prove.py compile with it.
 */
#include <linux/types.h>

struct qstr {
	u32 len;
	const unsigned char *name;
};
