/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* utf8val guard enforce: looks for bad names, then enforces. */
#ifndef UTF8VAL_MOUNT_ENFORCE_H
#define UTF8VAL_MOUNT_ENFORCE_H

int enforce_main(int argc, char **argv);

#endif /* UTF8VAL_MOUNT_ENFORCE_H */
