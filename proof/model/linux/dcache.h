/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#include "types.h"

/* without the union that names hash and len together as hash_len */
struct qstr {
	u32 hash;
	u32 len;
	const unsigned char *name;
};
