/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* utf8val trace: the automaton at work, byte by byte. */
#ifndef UTF8VAL_SHOW_TRACE_H
#define UTF8VAL_SHOW_TRACE_H

/* The subcommand: argv[0] is for messages; returns an exit status. */
int trace_main(int argc, char **argv);

#endif /* UTF8VAL_SHOW_TRACE_H */
