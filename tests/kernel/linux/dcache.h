/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What <linux/utf8val.h> needs of the kernel's header, to be tested on a host. */
#include <linux/types.h>

struct qstr {
	u32 len;
	const unsigned char *name;
};
