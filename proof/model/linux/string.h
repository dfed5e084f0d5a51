/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#include "types.h"

void *memcpy(void *to, const void *from, size_t len);
