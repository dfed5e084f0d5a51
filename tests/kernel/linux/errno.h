/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What <linux/utf8val.h> needs of the kernel's header, to be tested on a host. */
#define EILSEQ 84	/* as on most architectures; only its being an error is tested */
