/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The subcommands, which main.c calls. argv[0] is for messages; each returns an exit
 * status.
 */
#ifndef UTF8VAL_BASE_COMMANDS_H
#define UTF8VAL_BASE_COMMANDS_H

#include "bpf/shared/status.h"

int check_main(int argc, char **argv);
int scan_main(int argc, char **argv);
int summary_main(int argc, char **argv);
int fix_main(int argc, char **argv);
int undo_main(int argc, char **argv);
int journal_main(int argc, char **argv);
int trace_main(int argc, char **argv);
int show_main(int argc, char **argv);

#endif /* UTF8VAL_BASE_COMMANDS_H */
