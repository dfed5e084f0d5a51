/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the programs in the kernel and the command share: the maps' layouts.
 * The maps outlive both, as a newer guard takes over those of an older one:
 * a layout that changes takes another name.
 */
#ifndef UTF8VAL_GUARD_MAPS_H
#define UTF8VAL_GUARD_MAPS_H

#include <linux/types.h>

#include "kernel/lsm/modes.h"

/* A task's flag for kernel threads, which no kernel describes among its types. */
#define GUARD_PF_KTHREAD 0x00200000

#define GUARD_CONSTANT(id, ...) GUARD_##id,
enum guard_mode {
	GUARD_UNSET,
	UTF8VAL_MODE_LIST(GUARD_CONSTANT, GUARD_CONSTANT)
	GUARD_MODES,
	/* in a pending mount: the file system has not shown the option yet */
	GUARD_UNSEEN = GUARD_MODES
};

/* Those of the module, and btrfs's ioctls for subvolumes and snapshots. */
#define GUARD_OP_LIST(X) UTF8VAL_OP_LIST(X, X) X(SUBVOLUME, subvolume)
enum guard_op {
	GUARD_OP_LIST(GUARD_CONSTANT)
	GUARD_OPS
};

#define GUARD_TYPE_LEN 24

/* Map "marks": a superblock's state, by its address. */
struct guard_mark {
	__u32 mode;		/* enum guard_mode; not UNSET */
	__u32 dev;		/* as the kernel has it: 12 and 20 bits */
	union {
		/* the file system's, ends in NUL; empty: start's own */
		char type[GUARD_TYPE_LEN];
		struct {
			__u64 no_type;
			/* the one that is tried; others let all names pass */
			__u64 generation;
		};
	};
};

/* more than a mount namespace may have by default, which is 100,000 mounts */
#define GUARD_MARKS 131072

/*
 * Map "filter": how many marks there are whose superblocks share a slot. Most
 * superblocks have no mark, and find that out here.
 */
#define GUARD_SLOTS 1024

/* A mount in progress that has the option. */
struct guard_pending {
	/*
	 * the mount's fs_context, by its address; 0: the place is free, 1: it is
	 * being written
	 */
	__u64 context;
	/* the task that gave the option: its address, and its start in ns since boot */
	__u64 task, started;
	/*
	 * what the context was then, by addresses: its credentials, its log (0: it is
	 * not from fsopen(2) or fspick(2)), and the root that it reconfigures (0: it is
	 * for a mount)
	 */
	__u64 cred, log, root;
	__u32 mode;
	__u8 own_call;	/* all of it is one system call of that task */
	__u8 inherited;	/* from the superblock that a submount hangs off */
	__u8 copied;	/* from another of the same mount, which follows */
	__u8 unused;
	__u64 fresh;	/* inherited: the superblock made for it, by its address */
};

#define GUARD_PENDING 128

/* Map "contexts": all of them. */
struct guard_mounting {
	__u32 count;	/* most mounts have nothing to look for */
	__u32 unused;
	struct guard_pending places[GUARD_PENDING];
};

/*
 * Map "removed", in the storage of a directory's inode: bad names that were removed
 * from it, and by which thread group. See bpf/kernel/removed.h.
 */
#define GUARD_REMOVED 16

struct guard_removed {
	__u64 name;	/* a hash, by the key of map "secret"; 0: no name */
	__u64 started;	/* the group's start, in ns since boot */
	__u32 group;	/* its number; 0, with started 0: kernel threads */
	__u32 len;	/* the name's, in bytes */
};

struct guard_removals {
	__u32 next;	/* the place for the next one, modulo their number */
	__u32 unused;
	struct guard_removed places[GUARD_REMOVED];
};

/* Map "counts", one for each operation and CPU. */
struct guard_counts {
	__u64 checked, bad, denied;
};

/* Map "limit": no more events than this in this time; as printk's */
#define GUARD_BURST 10
#define GUARD_INTERVAL 5000000000ull	/* nanoseconds */

struct guard_limit {
	__u64 begin;	/* of the interval, in ns since boot */
	__u32 told;	/* events in it, those left out included */
	__u32 unused;
	__u64 missed;	/* left out since the start, or the buffer was full */
};

/* Maps "events" and "admin": ring buffers of these. */
enum guard_event_kind {
	GUARD_BAD_NAME,
	GUARD_LOWERED,		/* op is the mode before */
	GUARD_BAD_OPTION,	/* op is an enum guard_bad_option */
	GUARD_RESTORED,		/* a bad name, by whoever has removed it */
};

enum guard_bad_option {
	GUARD_NO_VALUE,
	GUARD_TWO_VALUES,
	GUARD_NOT_TAKEN,	/* the file system would not see it */
	GUARD_CUTS_NAMES,	/* ... stores less of a name than it is given */
	GUARD_KERNEL_NAMES,	/* ... has names by the kernel alone */
	GUARD_NO_ROOM,		/* there are too many marks */
};

/* a longer name than this takes a longer event */
#define GUARD_SHORT_NAME 256
#define GUARD_LONGEST_NAME 4096

struct guard_event {
	__u64 missed;		/* as struct guard_limit has it */
	__u32 kind;		/* enum guard_event_kind */
	__u32 op;		/* enum guard_op */
	__u32 mode;		/* enum guard_mode */
	__u32 dev;
	__u32 pid;
	__u32 len;		/* the name's; there may be fewer bytes of it */
	char type[GUARD_TYPE_LEN];
	__u8 name[];
};

#define GUARD_RING (256 * 1024)
#define GUARD_ADMIN_RING (64 * 1024)

#endif /* UTF8VAL_GUARD_MAPS_H */
