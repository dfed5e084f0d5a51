/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* utf8val show: code points, their bytes, and the forms of UTF-8. */
#ifndef UTF8VAL_SHOW_H
#define UTF8VAL_SHOW_H

/* The subcommand: argv[0] is for messages; returns an exit status. */
int show_main(int argc, char **argv);

#endif /* UTF8VAL_SHOW_H */
