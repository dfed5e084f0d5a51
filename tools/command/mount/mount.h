/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* utf8val mount: what the kernel enforces here. */
#ifndef UTF8VAL_MOUNT_H
#define UTF8VAL_MOUNT_H

/* The subcommand: argv[0] is for messages; returns an exit status. */
int mount_main(int argc, char **argv);

#endif /* UTF8VAL_MOUNT_H */
