/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The pins: files in bpffs that keep programs and maps loaded when no process does. All
 * subcommands reach the guard's maps through them.
 */
#ifndef UTF8VAL_GUARD_PINS_H
#define UTF8VAL_GUARD_PINS_H

#include <glob.h>
#include <stdbool.h>
#include <stddef.h>

#include "bpf/shared/guard_maps.h"

enum map {
	MAP_MARKS,
	MAP_FILTER,
	MAP_PENDING,
	MAP_COUNTS,
	MAP_LIMITS,
	MAP_EVENTS,
	MAP_ADMIN,
	MAP_RINGS,
	MAP_SERVED,
	MAP_SECRET,
	MAP_POLICY,
	MAPS
};

/* the map's name as a pin, without a dot, and as a section of the object */
struct map_name {
	const char *pin, *object;
	__u32 key_size, value_size;	/* bytes */
	__u32 entries;
};

extern const struct map_name map_names[MAPS];

/*
 * Take the lock that keeps two of start, stop and set from running at once.
 * With @make, bpffs is mounted if it is not yet, and the directory is made.
 * Returns: 1; 0 without @make if there is no directory; -1 if it has complained.
 */
int pins_lock(bool make);

/* Does the directory exist, and can only root write to it? */
bool pins_are_there(void);

/*
 * Returns: a file descriptor for the pinned map, or -1 with errno set; EPROTO:
 * the map has another layout.
 */
int pins_map(enum map map);

/* The message for a map of another layout. */
#define OTHER_VERSION "the active guard is of another version. To replace it, run: systemctl " \
	"restart utf8val-guard (or utf8val-guard stop --now && utf8val-guard start)"

/*
 * Have an object that is to be loaded use these maps: a file descriptor for each
 * enum map. If @maps is NULL, the object uses the pinned maps. With @first, the
 * object creates the maps that are not pinned yet. Returns: false after a complaint.
 */
struct bpf_object;
bool pins_share_maps(struct bpf_object *object, const int *maps, bool first);
/* Pin those of its maps that are not pinned yet. Returns: false after a complaint. */
bool pins_add_maps(struct bpf_object *object);

/*
 * Is there a whole generation of programs? If so, *@generation is which;
 * @generation may be NULL.
 */
bool pins_complete(__u64 *generation);

/*
 * A guard that was stopped rests: some programs and maps stay active. These programs forget
 * the mode of a superblock which goes, and are pinned in a directory of their own. The maps
 * are those that these programs need.
 */
#define RESTING "resting"

/* Does a guard rest here, and is no other one active? */
bool pins_rest(void);

/*
 * Pin the programs that a resting guard needs in the directory for it, too. Returns: false
 * after a complaint; then there is nothing in that directory.
 */
bool pins_begin_rest(void);

/* Is this the path of a program that is also pinned in the directory of a resting guard? */
bool pins_rest_on(const char *path);

/* Is this program pinned, in any generation's directory, or in that of a resting guard? */
bool pins_hold(const char *program);

/*
 * The paths of pins, and of directories of pins, that match a shell's pattern; free them
 * with globfree(). Or how many these are.
 */
glob_t pins_match(const char *pattern);
size_t pins_count(const char *pattern);

/*
 * Remove the directories of programs that match. The pin of the program that takes the
 * option goes first, so that what an interruption leaves takes no mount with it.
 * Returns: false after a complaint.
 */
bool pins_remove_dirs(const char *names);
/* Remove all of them but this one. */
void pins_remove_others(const char *but);
/* Remove the pins of that program alone. Returns: false after a complaint. */
bool pins_refuse_option(void);
/* Remove all maps; with @rest, but those that a stopped guard keeps. */
bool pins_remove_maps(bool rest);
/* Remove the directory PINS, which must be empty by now. */
bool pins_remove_root(void);

/*
 * The kernel's buffer of events allows one reader at a time. Returns: a file
 * descriptor that keeps other readers away until it is closed, or -1 with errno
 * set. EWOULDBLOCK: there is another reader; ENOENT: there is nothing to read.
 */
int pins_lock_events(void);

/*
 * Check that the programs which forget mounts are pinned. If one is not, it is
 * unknown which mounts are in progress, and the map of these is unpinned.
 */
void pins_check_mounts(void);

/*
 * A directory of one generation's programs is named: one of these prefixes, a hash in
 * hexadecimal, "-", and the number of its programs on this kernel. The hash is that of the
 * object that the programs are from.
 */
#define DIR_LOADED "programs-"
#define DIR_LOADING "loading-"
#define PROGRAM_DIRS "*-*"

/* the program without which no mount takes the option */
#define PROGRAM_OPTION "guard_parse_param"
/* the program without which marks outlast their superblocks */
#define PROGRAM_FORGETS "guard_sb_free"
/* the programs without which failed mounts stay noted */
#define PROGRAM_ENDS "guard_put_context"
#define PROGRAM_ENDS_TOO "guard_free_opts"

#endif /* UTF8VAL_GUARD_PINS_H */
