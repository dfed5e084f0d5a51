/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* utf8val check: is this text UTF-8? */
#ifndef UTF8VAL_CHECK_H
#define UTF8VAL_CHECK_H

/* The subcommand: argv[0] is for messages; returns an exit status. */
int check_main(int argc, char **argv);

#endif /* UTF8VAL_CHECK_H */
