/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The option in a file system's line of fstab. */
#ifndef UTF8VAL_MOUNT_FSTAB_H
#define UTF8VAL_MOUNT_FSTAB_H

#include <stdbool.h>

/*
 * Give the line of this mount point in the file the mode "enforce", in the form
 * that its other options allow; the file is replaced at once, or stays as it is.
 * Returns false after a complaint.
 */
bool fstab_enforce(const char *file, const char *point);

#endif /* UTF8VAL_MOUNT_FSTAB_H */
