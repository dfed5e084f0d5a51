/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* utf8val scan: the names that an enforcing mount would refuse. */
#ifndef UTF8VAL_SCAN_H
#define UTF8VAL_SCAN_H

/* The subcommand: argv[0] is for messages; returns an exit status. */
int scan_main(int argc, char **argv);

#endif /* UTF8VAL_SCAN_H */
