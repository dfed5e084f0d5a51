/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Set the mode of a file system that is mounted. */
#ifndef UTF8VAL_GUARD_SET_H
#define UTF8VAL_GUARD_SET_H

/*
 * @fd: a file on that file system. @mode: an enum guard_mode; GUARD_UNSET, with @fd -1:
 * free what is noted of mounts in progress that are gone. @maps: file descriptors
 * of a guard's maps, one for each enum map; NULL: those that are pinned, for which the
 * caller has the lock of pins_lock(). Returns: 0 or a negative errno.
 */
int set_mode(int fd, int mode, const int *maps);

#endif /* UTF8VAL_GUARD_SET_H */
