// SPDX-License-Identifier: GPL-2.0-only
/*
 * utf8val= on a kernel that was not built with it: BPF programs on the hooks for
 * security modules, and their maps. bpf/user/start.c loads this object.
 *
 *   new_names.h   the checks, where a name enters a directory
 *   removed.h     bad names that may be re-created
 *   questions.h   tests of dentries, superblocks and tasks
 *   siphash.h     the hash by which a removed name is remembered
 *   subvolumes.h  names that btrfs's ioctls create
 *   mount_option.h the option, from a mount's parameters to the superblock
 *   pending.h     the mounts in progress that have it
 *   policy.h      the mode that /etc/utf8val.conf has for a superblock
 *   marks.h       the state of superblocks
 *   events.h      events for readers of the log
 *   set_mode.h    the mode of a file system that is mounted already, and all modes
 *   name.h        the check of one name, by the core's table
 */
#include "new_names.h"
#include "subvolumes.h"
#include "mount_option.h"
#include "set_mode.h"

char LICENSE[] SEC("license") = "GPL";
