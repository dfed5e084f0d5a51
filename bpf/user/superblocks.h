/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Superblocks, wherever they are mounted: set the mode of one, or walk over all. Every
 * subcommand that changes or lists modes calls it.
 */
#ifndef UTF8VAL_GUARD_SUPERBLOCKS_H
#define UTF8VAL_GUARD_SUPERBLOCKS_H

#include <stdbool.h>

#include "base/output.h"
#include "bpf/shared/guard_maps.h"

/*
 * Set the mode of a superblock. @fd: a file on it. @mode: an enum guard_mode;
 * GUARD_UNSET, with @fd -1: free what is noted of mounts in progress that are gone.
 * @maps: file descriptors of a guard's maps, one for each enum map; NULL: those that are
 * pinned, for which the caller has the lock of pins_lock(). Returns: 0 or a negative
 * errno.
 */
int superblock_set(int fd, enum guard_mode mode, enum guard_source source, const int *maps);

/*
 * Walk over all superblocks of the kernel. @policy: the file descriptor of a map that
 * takes the place of the pinned policy, or -1. *@list: those that have a mode, or for
 * which the policy has one; it stays in memory. Returns: how many, or a negative errno;
 * -EAGAIN: the list of superblocks changed at each try. With another way than
 * GUARD_WALK_LOOK, the caller has the lock of pins_lock().
 */
long superblocks_walk(enum guard_walk how, int policy, struct guard_seen **list);

/*
 * Add device, type, UUID and the mount points, or that there is none here. The separator
 * is a space, or a tab: then where the mode is from stands before the UUID.
 */
void superblock_name(struct text *text, char separator, const struct guard_seen *seen);

/* Add ". Run: ", a command, and as its argument a mount point of the superblock. */
void superblock_command(struct text *text, const char *command, const struct guard_seen *seen);

/* Add mode, device, type, UUID and the mount points as members of a JSON object. */
void superblock_json(struct text *text, const struct guard_seen *seen);

/* Fill in the type and subtype that /proc/self/mountinfo has with a dot between them. */
void superblock_set_type(struct guard_seen *seen, const char *type);

/* Fill in device and type of the mount that this file is on, if that is known. */
void superblock_guess(int fd, struct guard_seen *seen);

/* Does this superblock have a UUID, and the same one each time it is mounted? */
bool superblock_has_uuid(const struct guard_seen *seen);

/* Returns: the superblock of the list that this file is on, or NULL. */
const struct guard_seen *superblock_of(int fd, const struct guard_seen *list, long count);

#endif /* UTF8VAL_GUARD_SUPERBLOCKS_H */
