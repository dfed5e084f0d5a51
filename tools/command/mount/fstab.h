/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Writing the option into the line of a file system in fstab. */
#ifndef UTF8VAL_MOUNT_FSTAB_H
#define UTF8VAL_MOUNT_FSTAB_H

#include <stdbool.h>

/*
 * Give the line of this mount point in the file the mode "enforce", in the form
 * that the other options of the line allow. The file is replaced in one step,
 * or stays as it is. Returns false after a complaint.
 */
bool fstab_enforce(const char *file, const char *point);

#endif /* UTF8VAL_MOUNT_FSTAB_H */
