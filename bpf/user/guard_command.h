/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * utf8val-guard: what all of its parts share.
 *
 *   main.c        the command line
 *   start.c       loads, tries and pins the programs
 *   stop.c        takes everything away again
 *   status.c      what is in force
 *   set.c         marks what is mounted already
 *   log.c         what has been told of
 *   pins.c        where programs and maps are held
 *   mark_list.c   what is marked, and which mounts that is on
 *   in_force.c    tries whether all that is in force, and says why it is not
 *   selftest.c    tries what is loaded
 *   reasons.c     why a kernel cannot, and what would change that
 *   try_option.c  gives a mount that goes no further the option
 *   mount_table.c what is mounted
 *   kept_modes.c  what stop takes, and the next start gives back
 *   words.c       modes and operations, as users write and read them
 *   print.c       prints bytes that somebody else has chosen
 */
#ifndef UTF8VAL_GUARD_COMMAND_H
#define UTF8VAL_GUARD_COMMAND_H

#include <stdbool.h>

enum status {
	STATUS_GOOD = 0,
	STATUS_BAD = 1,		/* nothing is in force, or not all of it */
	STATUS_TROUBLE = 2,	/* an error, or it cannot be told */
};

/* --verbose: libbpf's messages, the verifier's included */
extern bool verbose;

/* A message on standard error, the program's name before it. */
__attribute__((format(printf, 1, 2)))
void complain(const char *format, ...);

/* Returns: is this root? If not, it has complained. */
bool is_root(void);

int start_main(char **args);
int stop_main(char **args);
int status_main(char **args);
int set_main(char **args);
int log_main(char **args);

#endif /* UTF8VAL_GUARD_COMMAND_H */
