/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The subcommands: argv[0] is for messages; each returns an exit status. */
#ifndef UTF8VAL_BASE_COMMANDS_H
#define UTF8VAL_BASE_COMMANDS_H

/* Exit statuses of all subcommands; grep's and isutf8's users know them. */
enum {
	STATUS_GOOD = 0,	/* nothing ill-formed was met */
	STATUS_BAD = 1,		/* something ill-formed was met, or remains */
	STATUS_TROUBLE = 2,	/* something could not be read, done or said */
};

int check_main(int argc, char **argv);
int scan_main(int argc, char **argv);
int fix_main(int argc, char **argv);
int journal_main(int argc, char **argv);
int trace_main(int argc, char **argv);
int show_main(int argc, char **argv);
int mount_main(int argc, char **argv);
int guard_main(int argc, char **argv);
/* guard enforce */
int enforce_main(int argc, char **argv);

#endif /* UTF8VAL_BASE_COMMANDS_H */
