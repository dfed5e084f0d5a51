/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * So many bad names may return, the last that a process has removed from a
 * directory; with the guard, the last that all processes have. For so many users
 * of NFS and SMB the module keeps such names of a directory.
 */
#ifndef UTF8VAL_REMOVALS_H
#define UTF8VAL_REMOVALS_H

#define UTF8VAL_REMOVALS 16

#endif /* UTF8VAL_REMOVALS_H */
