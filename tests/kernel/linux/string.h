/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The part of the kernel's header that kernel/core.c needs in tests on a host. */
#include <string.h>
