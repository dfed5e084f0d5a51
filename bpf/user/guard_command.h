/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * utf8val-guard: the messages and subcommands that all of its files share. All of them
 * include this.
 *
 *   main.c        the command line
 *   start.c       loads, tests and pins the programs
 *   stop.c        removes programs and maps
 *   status.c      reports what is active
 *   set.c         sets the mode of mounted file systems
 *   enforce.c     looks for bad names, and then sets the mode
 *   apply.c       applies the policy file
 *   log.c         prints events
 *   policy.c      reads and writes /etc/utf8val.conf
 *   requested.c   compares the policy file and fstab with the modes
 *   superblocks.c sets the mode of one superblock, or walks over all
 *   pins.c        the files that hold programs and maps
 *   mode_list.c   the file systems that have a mode, and where they are mounted
 *   active.c      tests whether the guard is active
 *   selftest.c    tests the programs on a separate mount
 *   obstacles.c   why a kernel cannot have the guard, and what would help
 *   mount_table.c the mounts of this mount namespace
 *   print.c       modes, operations and bytes of others, as users write and read them
 */
#ifndef UTF8VAL_GUARD_COMMAND_H
#define UTF8VAL_GUARD_COMMAND_H

#include <stdbool.h>

#include "base/output.h"
#include "bpf/shared/status.h"

/* --verbose: libbpf's messages, the verifier's included */
extern bool verbose;

/* Print a message on standard error, with the program's name before it. */
__attribute__((format(printf, 1, 2)))
void complain(const char *format, ...);

/* The same of a text. */
void complain_text(const struct text *text);

/* The same about a path, which is printed safely. Returns: -1. */
__attribute__((format(printf, 2, 3)))
int complain_about(const char *path, const char *format, ...);

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
