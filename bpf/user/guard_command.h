/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * utf8val-guard: what all of its parts share.
 *
 *   main.c        the command line
 *   start.c       loads, tries and pins the programs
 *   stop.c        removes programs and maps again
 *   status.c      what is active
 *   set.c         marks what is mounted already
 *   enforce.c     looks for bad names, and then sets the mode
 *   apply.c       applies the policy file
 *   policy.c      reads and writes /etc/utf8val.conf
 *   superblocks.c sets the mode of one superblock, or walks over all
 *   log.c         prints events
 *   pins.c        where programs and maps are held
 *   mode_list.c   which file systems have a mode, and where they are mounted
 *   active.c      tests whether the guard is active
 *   selftest.c    tries the programs on a mount of its own
 *   reasons.c     why a kernel cannot have the guard, and what would help
 *   mount_table.c what is mounted
 *   words.c       modes, operations and others' bytes, as users write and read them
 */
#ifndef UTF8VAL_GUARD_COMMAND_H
#define UTF8VAL_GUARD_COMMAND_H

#include <stdbool.h>

#include "bpf/shared/status.h"

/* --verbose: libbpf's messages, the verifier's included */
extern bool verbose;

/* Print a message on standard error, with the program's name before it. */
__attribute__((format(printf, 1, 2)))
void complain(const char *format, ...);

/* Returns: does root run this? If not, it has complained. */
bool is_root(void);

/* Print the usage of a subcommand on standard error. Returns: STATUS_TROUBLE. */
int usage_error(const char *subcommand);

int start_main(char **args);
int stop_main(char **args);
int status_main(char **args);
int set_main(char **args);
int apply_main(char **args);
int enforce_main(char **args);
int log_main(char **args);

#endif /* UTF8VAL_GUARD_COMMAND_H */
