/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The utf8val command: what its subcommands share. Each of them is a function
 * that gets its own argument vector (argv[0] is "utf8val NAME", for messages)
 * and returns an exit status.
 */
#ifndef UTF8VAL_COMMAND_H
#define UTF8VAL_COMMAND_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Exit statuses; grep's and isutf8's users know them. */
enum {
	STATUS_GOOD = 0,	/* nothing ill-formed was met */
	STATUS_BAD = 1,		/* something ill-formed was met, or remains */
	STATUS_TROUBLE = 2,	/* something could not be read, done or said */
};

int check_main(int argc, char **argv);
int scan_main(int argc, char **argv);
int fix_main(int argc, char **argv);
int trace_main(int argc, char **argv);
int show_main(int argc, char **argv);
int mount_main(int argc, char **argv);
int guard_main(int argc, char **argv);
int journal_main(int argc, char **argv);

/* Set by SIGINT and SIGTERM, for all threads: stop soon, say what was done. */
extern atomic_int interrupted;

/* Have SIGINT and SIGTERM set interrupted instead of ending the program. */
void interrupt_catch(void);

#endif /* UTF8VAL_COMMAND_H */
