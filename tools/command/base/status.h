/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Exit statuses of all subcommands; grep's and isutf8's users know them. */
#ifndef UTF8VAL_BASE_STATUS_H
#define UTF8VAL_BASE_STATUS_H

enum {
	STATUS_GOOD = 0,	/* nothing ill-formed was met */
	STATUS_BAD = 1,		/* something ill-formed was met, or remains */
	STATUS_TROUBLE = 2,	/* something could not be read, done or said */
};

#endif /* UTF8VAL_BASE_STATUS_H */
