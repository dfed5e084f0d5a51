/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What kernel/core.c needs of the kernel's header, to be tested on a host. */
#define noinline __attribute__((__noinline__))
