/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Where programs and maps are held when no process does. */
#ifndef UTF8VAL_GUARD_PINS_H
#define UTF8VAL_GUARD_PINS_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/shared/guard_maps.h"

#define BPFFS "/sys/fs/bpf"
#define PINS BPFFS "/utf8val"

enum map {
	MAP_MARKS,
	MAP_FILTER,
	MAP_PENDING,
	MAP_COUNTS,
	MAP_LIMIT,
	MAP_EVENTS,
	MAP_ADMIN,
	MAP_REMOVED,
	MAP_SECRET,
	MAPS
};

/* a pin's name has no dot, a section's has */
struct map_name {
	const char *pin, *object;
	__u32 key_size, value_size;	/* bytes */
};

extern const struct map_name map_names[MAPS];

/*
 * No two of start, stop and set at once. With @make, bpffs is mounted where it is
 * not, and the directory made.
 * Returns: 1; 0 without @make when there is no directory; -1 when it has
 * complained.
 */
int pins_lock(bool make);

/* Does the directory exist, and can only root write to it? */
bool pins_are_there(void);

/*
 * Returns: a file descriptor for the pinned map, or -1 with errno set: EPROTO for
 * one of another form.
 */
int pins_map(enum map map);

/* Is there a pin, or a directory of pins, of this name? */
bool pins_have(const char *name);

/* Is there a whole generation of programs? If so, which; NULL: no matter which. */
bool pins_complete(__u64 *generation);

/* Is this program pinned, in any generation's directory? */
bool pins_hold(const char *program);

/*
 * The directory below PINS that a generation's programs are in, by name. The
 * name's end says how many there must be.
 */
struct pins_dir {
	char name[64];
	unsigned int count;	/* how many programs are pinned in it */
};

/* Those that are there; returns how many, of which at most MAX are listed. */
size_t pins_dirs(struct pins_dir *dirs, size_t max);

/*
 * Take away one of these directories. What makes the option acceptable goes
 * first, so that what is left when this is interrupted accepts no mount.
 */
bool pins_remove_dir(const char *name);
/* ... that alone */
void pins_refuse_option(const char *name);
bool pins_remove_maps(void);
/* the directory of all, which must be empty by now */
bool pins_remove_root(void);
/* ... which it need not be */
void pins_remove_empty(void);

/*
 * The kernel lets go of programs some time after their pins are gone. Note those
 * that are pinned in a directory, or one of them, and wait until none of the noted
 * runs: ten minutes, as each grace period may take seconds on a busy machine, or
 * half a minute where somebody will not wait (@now).
 */
void pins_note(const char *name, const char *program);
bool pins_wait(bool now);

/*
 * The kernel's buffer of events is for one reader at a time. Returns: a file
 * descriptor that keeps others away until it is closed, or -1 with errno set:
 * EWOULDBLOCK: there is another; ENOENT: there is nothing to read.
 */
int pins_lock_events(void);

/* Is it known which mounts are in progress? If not, forget what is noted. */
void pins_check_mounts(void);

/*
 * Wait ten seconds for mounts that were told that the option is taken. Returns:
 * how many are still in progress, as far as that is known.
 */
long pins_wait_mounts(void);

/*
 * A prefix, then the hexadecimal of the object's bytes that it was loaded from,
 * "-" and how many programs it has on this kernel
 */
#define DIR_LOADED "programs-"
#define DIR_LOADING "loading-"

/* the program without which no mount option is taken */
#define PROGRAM_OPTION "guard_parse_param"
/* the one without which marks stay when their superblocks go */
#define PROGRAM_FORGETS "guard_sb_free"
/* those without which mounts stay noted when they have failed */
#define PROGRAM_ENDS "guard_put_context"
#define PROGRAM_ENDS_TOO "guard_free_opts"

#endif /* UTF8VAL_GUARD_PINS_H */
