/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The layouts of the maps, which the programs in the kernel and the command
 * share. The maps outlive programs and command, because a newer guard takes over
 * the maps of an older one. A layout that changes therefore gets another name.
 */
#ifndef UTF8VAL_GUARD_MAPS_H
#define UTF8VAL_GUARD_MAPS_H

#include <stdbool.h>

#include <linux/types.h>

#include "bpf/shared/modes.h"
#include "bpf/shared/removals.h"

/* where the maps have a name each, and the programs */
#define BPFFS "/sys/fs/bpf"
#define PINS BPFFS "/utf8val"

#define GUARD_CONSTANT(id, ...) GUARD_##id,
enum guard_mode {
	GUARD_UNSET,
	UTF8VAL_MODE_LIST(GUARD_CONSTANT, GUARD_CONSTANT)
	GUARD_MODES,
	/* in a pending mount: the file system has not shown the option yet */
	GUARD_UNSEEN = GUARD_MODES
};

#define GUARD_REPORTS(id, word, reports, refuses) mode == GUARD_##id ? reports :
#define GUARD_REFUSES(id, word, reports, refuses) mode == GUARD_##id ? refuses :

/* Are bad names reported with this mode? */
static inline bool mode_reports(__u32 mode)
{
	return UTF8VAL_MODE_LIST(GUARD_REPORTS, GUARD_REPORTS) false;
}

/* Are bad names refused with this mode? */
static inline bool mode_refuses(__u32 mode)
{
	return UTF8VAL_MODE_LIST(GUARD_REFUSES, GUARD_REFUSES) false;
}

/* The module's operations, and btrfs's ioctls for subvolumes and snapshots. */
#define GUARD_OP_LIST(X) UTF8VAL_OP_LIST(X, X) X(SUBVOLUME, subvolume)
enum guard_op {
	GUARD_OP_LIST(GUARD_CONSTANT)
	GUARD_OPS
};

#define GUARD_TYPE_LEN 16

/* Where a superblock has its mode from. */
enum guard_source {
	GUARD_FROM_OLDER,	/* an older guard, which did not record this */
	GUARD_FROM_MOUNT,	/* the mount option utf8val= */
	GUARD_FROM_SET,		/* utf8val-guard set */
	GUARD_FROM_POLICY,	/* a line of the policy */
	GUARD_FROM_KERNEL,	/* the kernel's own option; the source of no mark */
	GUARD_SOURCES
};

/* Map "marks": a superblock's state, by its address. */
struct guard_mark {
	__u32 mode;		/* enum guard_mode; not UNSET */
	__u32 dev;		/* as the kernel has it: 12 and 20 bits */
	union {
		/*
		 * the file system's type, ends in NUL; empty: start tries here
		 */
		struct {
			char type[GUARD_TYPE_LEN];
			/*
			 * when the mark was made, in 256 ns since boot, lower bits first;
			 * 0: by an older guard, which had a longer type here
			 */
			__u32 made;
			__u16 made_upper;
			__u8 unused;
			__u8 source;	/* enum guard_source */
		};
		struct {
			__u64 no_type;
			/*
			 * the generation that is tried; others let all names
			 * pass
			 */
			__u64 generation;
		};
	};
};

/* more than the 100,000 mounts that a mount namespace may have by default */
#define GUARD_MARKS 131072

/*
 * Map "filter": for each slot, how many marked superblocks have that slot. Most
 * superblocks have no mark, and are found out here.
 */
#define GUARD_SLOTS 1024

/*
 * Map "policy": the mode that each line of the policy gives, by what the line names.
 * A superblock gets the mode of its first key in the map: its UUID, its type with its
 * subtype, its type, or the default.
 */
enum guard_what_kind {
	GUARD_WHAT_DEFAULT,
	GUARD_WHAT_UUID,	/* 16 bytes, in type */
	GUARD_WHAT_TYPE,
};

struct guard_what {
	__u32 kind;		/* enum guard_what_kind */
	char type[28];		/* ends in NUL, as does subtype */
	char subtype[32];	/* of FUSE: in fuse.mergerfs, mergerfs; or "" */
};

#define GUARD_LINES 1024

/*
 * The report on one superblock by a walk over all superblocks. A walk reports each
 * superblock that has a mode, or for which the policy has one.
 */
struct guard_seen {
	__u64 sb;		/* its address */
	__u32 dev;
	__u32 mode, policy_mode;	/* enum guard_mode: what it has, and by the policy */
	__u32 source;		/* enum guard_source */
	__u32 before;		/* the mode that it had before the walk */
	__s32 error;		/* of giving it the policy's mode: 0 or negative */
	__u8 uuid[16];
	char type[28], subtype[32];
};

/* The effect of a walk over all superblocks on each of them. */
enum guard_walk {
	GUARD_WALK_LOOK,	/* nothing */
	/* the policy's mode for what has none */
	GUARD_WALK_GIVE,
	/* the policy's mode for what has none, or has its mode by the policy */
	GUARD_WALK_START,
	/* that, and for what has its mode by utf8val-guard set or by an older guard */
	GUARD_WALK_APPLY,
};

/* A mount in progress that has the option. */
struct guard_pending {
	/* as pending.h has it; no two mounts have the same */
	__u64 number;
	__u64 context;	/* the mount's fs_context, by its address */
	/*
	 * the task that gave the option: its address, and its start in ns since
	 * boot
	 */
	__u64 task, started;
	/*
	 * The context's credentials, log and root at that time, by addresses. log is 0
	 * if the context is not from fsopen(2) or fspick(2). root is the root that the
	 * context reconfigures, and 0 if the context is for a mount.
	 */
	__u64 cred, log, root;
	__u32 mode;
	__u8 own_call;	/* made and used in one system call of task */
	__u8 inherited;	/* from the superblock that a submount hangs off */
	__u8 copied;	/* from another context, whose turn follows */
	__u8 source;	/* enum guard_source */
	union {
		/* inherited: the superblock made for it, by its address */
		__u64 fresh;
		/* else, if copied: the context that it is a copy of */
		__u64 copy_of;
	};
};

#define GUARD_PENDING 128

/* Map "mounting": all mounts in progress that have the option. */
struct guard_mounting {
	__u32 count;	/* places taken; mostly 0, with nothing to find */
	__u32 unused;
	__u64 numbers;	/* given to mounts so far */
	struct guard_pending places[GUARD_PENDING];
};

/*
 * Map "rings", in the storage of each thread that has removed a bad name. A ring has the
 * thread's last removals, as keyed hashes of directory and name (see map "secret"; 0: none).
 * bpf/kernel/removed.h.
 */
#define GUARD_REMOVED UTF8VAL_REMOVALS

struct guard_ring {
	__u32 next;	/* where the next one goes, modulo their number */
	__u32 unused;
	__u64 names[GUARD_REMOVED];
};

/*
 * Map "served": the same of all threads of the kernel, which serve NFS and SMB, and of
 * threads for which there was no memory.
 */
#define GUARD_SERVED 256

struct guard_served {
	__u32 next;
	__u32 unused;
	__u64 names[GUARD_SERVED];
};

/* Places are counted modulo these. */
_Static_assert(!(GUARD_SLOTS & (GUARD_SLOTS - 1)) && !(GUARD_PENDING & (GUARD_PENDING - 1)) &&
	       !(GUARD_REMOVED & (GUARD_REMOVED - 1)) && !(GUARD_SERVED & (GUARD_SERVED - 1)),
	       "not a power of two");

/* Map "counts", one for each operation and CPU. */
struct guard_counts {
	__u64 checked, bad, denied;
};

/*
 * Map "limits": of each user at most so many events in so much time, which is printk's
 * limit. Users whose numbers differ by a multiple of GUARD_LIMITS - 1 share one.
 */
#define GUARD_LIMITS 256
#define GUARD_BURST 10
#define GUARD_INTERVAL (5 * 1000000000ull)	/* nanoseconds */

struct guard_limit {
	__u64 begin;	/* of the interval, in ns since boot */
	__u32 told;	/* events in it, with those left out */
	__u32 unused;
	/* in the first one: of all users, left out since the start, or the buffer was full */
	__u64 missed;
};

/* Maps "told" and "told_admin": ring buffers of these. */
enum guard_event_kind {
	GUARD_BAD_NAME,
	GUARD_LOWERED,		/* op is the mode before */
	GUARD_BAD_OPTION,	/* op is an enum guard_bad_option */
	GUARD_RESTORED,		/* a bad name is back, by who removed it */
};

enum guard_bad_option {
	GUARD_NO_VALUE,
	GUARD_TWO_VALUES,	/* only a guard before 0.4 sends it */
	GUARD_NOT_TAKEN,	/* the file system would not see the option */
	GUARD_CUTS_NAMES,	/* ... stores less of a name than it is given */
	GUARD_KERNEL_NAMES,	/* ... has names by the kernel alone */
	GUARD_NO_ROOM,		/* the map of marks is full */
};

/* an event for a longer name is made longer */
#define GUARD_SHORT_NAME 256
#define GUARD_LONGEST_NAME 4096

/* of a directory's path, so many names are told, and so many bytes of each */
#define GUARD_DEPTH 12
#define GUARD_COMPONENT 64

struct guard_event {
	__u64 missed;		/* as struct guard_limit has it */
	__u32 kind;		/* enum guard_event_kind */
	__u32 op;		/* enum guard_op */
	__u32 mode;		/* enum guard_mode */
	__u32 dev;
	__u32 pid;		/* the thread group's number, in the first PID namespace */
	__u32 len;		/* the name's length; the event may hold less */
	__u32 uid, fsuid;	/* the real user, and the one for files */
	char comm[16];		/* the task's name, ends in NUL; any bytes, as it chooses */
	char type[24];
	__u64 dir;		/* the directory's inode number; 0: there is none */
	__u32 depth;		/* how many names of its path there are */
	__u32 unused;
	/*
	 * the directory's path below the root of its file system, from the end; each name
	 * ends in NUL, and is cut if it is longer
	 */
	char path[GUARD_DEPTH][GUARD_COMPONENT];
	__u8 name[];
};

#define GUARD_RING (256 * 1024)
#define GUARD_ADMIN_RING (256 * 1024)

#endif /* UTF8VAL_GUARD_MAPS_H */
