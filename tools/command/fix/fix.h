/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* utf8val fix: rename what an enforcing mount would refuse, and undo it. */
#ifndef UTF8VAL_FIX_H
#define UTF8VAL_FIX_H

/* The subcommand: argv[0] is for messages; returns an exit status. */
int fix_main(int argc, char **argv);

#endif /* UTF8VAL_FIX_H */
