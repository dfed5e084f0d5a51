/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mounts in progress that have the option, for mount_option.h. They are slots of an
 * array, not of a hash table. A walk of a hash table goes astray when its present element
 * is freed and used again in another chain. The walk could miss a mount's option, and that
 * mount would not be guarded.
 *
 * The one task that works on a context writes, finds and frees the context's entry. Any
 * task may free the entry if the context is gone. Users can have each of these tasks
 * interrupted for minutes, even root's, through setuid programs: no task waits for another.
 * Each entry has a number that no other had before. A task claims the entry by exchanging
 * that number for BEING_WRITTEN; a task that is late, when the slot has another entry,
 * claims nothing. The number is written last. Before the slot is free, the fields that
 * could match another mount are wiped.
 *
 * A context's address alone proves nothing: the context may be gone, and another one may
 * have its address. There are two kinds of contexts:
 *
 * - A context that is made and used within one system call is identified by its task. The
 *   program that sees such a context made wipes the record of its address.
 * - A context of fsopen(2) or fspick(2) may be passed between processes. Two programs free
 *   its entry when the context goes; no task can interrupt one of the two. The entry also
 *   holds the properties that the context had when it was given the option.
 *
 * Both programs can miss a context's end. The second one does not run on a CPU while a task
 * there is interrupted in bpf(2), as root's tasks can be. Entries of contexts that are gone
 * are therefore also freed in three other places:
 *
 * - where a context begins, before it has an address;
 * - when all slots are taken;
 * - by stop.
 */
#ifndef UTF8VAL_GUARD_PENDING_H
#define UTF8VAL_GUARD_PENDING_H

#include <linux/errno.h>

#include "kernel_types.h"
#include "bpf/shared/guard_maps.h"

struct guard_mounting pending SEC(".data.pending");

/* an entry's number, if it is no entry's */
#define FREE 0
#define BEING_WRITTEN 1
#define FIRST_NUMBER 2

/* The criteria of a walk over the array, and its result. */
struct search {
	__u64 context;
	__u64 task, started;
	struct super_block *sb;	/* the context's root is its; or it is new */
	__u32 remount;	/* is the superblock reconfigured? */
	__u32 place;
	__u64 number;
};

/* An entry, or NULL, and the number that the entry had when it was found. */
struct found {
	volatile struct guard_pending *entry;
	__u64 number;
};

static __always_inline __u64 this_task(void)
{
	return bpf_get_current_task();
}

/*
 * When this task started, in ns since boot. Another task may have had the same
 * address before, but not the same start.
 */
static __always_inline __u64 this_start(void)
{
	const struct task_struct *task = (void *)bpf_get_current_task_btf();

	return task->start_boottime;
}

/* The task that is in fsconfig(2) with this context; 0 if none is. */
static __always_inline __u64 at_work_on(struct fs_context *fc)
{
	const struct mutex___rt *rt = (const void *)&fc->uapi_mutex;

	/*
	 * the owner's lowest bits are flags about the tasks that wait; the lowest
	 * bits of a task's address are 0
	 */
	if (bpf_core_field_exists(rt->rtmutex))
		return (__u64)BPF_CORE_READ(rt, rtmutex.owner) & ~63ull;
	return BPF_CORE_READ(fc, uapi_mutex.owner.counter) & ~63ull;
}

static __always_inline volatile struct guard_pending *place(__u32 i)
{
	/* without effect, but the verifier has to see the limit */
	asm volatile("%0 &= %1" : "+r"(i) : "i"(GUARD_PENDING - 1));
	return &pending.places[i];
}

/*
 * An entry's number, or FREE if the slot has no whole entry. The number is read before the
 * fields that the caller reads next; without the barrier many CPUs could reorder the reads.
 */
static __always_inline __u64 number_of(volatile struct guard_pending *entry)
{
	__u64 number = entry->number;

	if (number >= FIRST_NUMBER)
		number = __sync_fetch_and_add(&entry->number, 0);
	return number < FIRST_NUMBER ? FREE : number;
}

/* Take a slot for writing, if it still has this number. Only one task can. */
static __always_inline bool claimed(volatile struct guard_pending *entry, __u64 number)
{
	return __sync_val_compare_and_swap(&entry->number, number, BEING_WRITTEN) == number;
}

static long take_free(__u32 i, struct search *search)
{
	if (place(i)->number != FREE || !claimed(place(i), FREE))
		return 0;
	search->place = i;
	return 1;
}

static long has_context(__u32 i, struct search *search)
{
	volatile struct guard_pending *here = place(i);
	__u64 number = number_of(here);

	if (!number || here->context != search->context)
		return 0;
	search->place = i;
	search->number = number;
	return 1;
}

/*
 * Is this task in the system call that made the context, or in fsconfig(2) with
 * the context?
 */
static __always_inline bool is_this_call(volatile struct guard_pending *here,
					 const struct search *search)
{
	bool in_fsconfig = at_work_on((void *)here->context) == search->task;

	return here->own_call ? !in_fsconfig && here->task == search->task &&
				here->started == search->started :
				in_fsconfig;
}

/*
 * Is the context still what it was when the option was given to it? NFS gives a submount's
 * context the credentials of the mount above it, after the option is noted.
 */
static __always_inline bool is_unchanged(volatile struct guard_pending *here,
					 const struct search *search)
{
	struct fs_context *fc = (void *)here->context;

	return (here->inherited || here->cred == (__u64)BPF_CORE_READ(fc, cred)) &&
	       here->log == (__u64)BPF_CORE_READ(fc, log.log) &&
	       here->root == (search->remount ?
			      (__u64)BPF_CORE_READ(fc, root) : 0);
}

static long is_at_work(__u32 i, struct search *search)
{
	volatile struct guard_pending *here = place(i);
	__u64 number = number_of(here);
	struct fs_context *fc = (void *)here->context;

	if (!number || !is_this_call(here, search) || !is_unchanged(here, search))
		return 0;
	if (BPF_CORE_READ(fc, root, d_sb) != search->sb)
		return 0;
	search->place = i;
	search->number = number;
	return 1;
}

/*
 * Record the superblock that was made last for a submount in progress. NFS has
 * two contexts for a submount: a copy that makes the superblock, and the one
 * that gets it. NFS also makes other superblocks on its way.
 */
static long makes_superblock(__u32 i, struct search *search)
{
	volatile struct guard_pending *here = place(i);

	if (number_of(here) && here->inherited &&
	    here->task == search->task && here->started == search->started)
		here->fresh = (__u64)search->sb;
	return 0;
}

static __always_inline struct found found_by(const struct search *search)
{
	struct found found = { NULL, search->number };

	if (search->place < GUARD_PENDING)
		found.entry = place(search->place);
	return found;
}

/*
 * Call a function for each slot until it returns 1. Mostly no slot is taken, and nothing is
 * called. Returns: the entry that the function has put into *search.
 */
static __always_inline struct found walk_places(long (*function)(__u32 i, struct search *search),
						struct search *search)
{
	if (*(volatile __u32 *)&pending.count)
		bpf_loop(GUARD_PENDING, function, search, 0);
	return found_by(search);
}

/* Returns: the entry of the context at this address. */
static __always_inline struct found pending_of(__u64 context)
{
	struct search search = {
		.context = context,
		.place = GUARD_PENDING,
	};

	return walk_places(has_context, &search);
}

/*
 * Returns: the entry of the context that this task is at work on. By now the context has
 * its root, which belongs to @sb.
 */
static __always_inline struct found find_pending(struct super_block *sb, bool remount)
{
	struct search search = {
		.task = this_task(),
		.started = this_start(),
		.sb = sb,
		.remount = remount,
		.place = GUARD_PENDING,
	};

	return walk_places(is_at_work, &search);
}

/*
 * Record that a superblock is made. A superblock that is made for a submount
 * inherits the mode; one that is in use already does not.
 */
static __always_inline void note_fresh(struct super_block *sb)
{
	struct search search = {
		.task = this_task(),
		.started = this_start(),
		.sb = sb,
		.place = GUARD_PENDING,
	};

	walk_places(makes_superblock, &search);
}

/*
 * Is the context of this entry gone? A context that has a log wipes the pointer to the
 * log as it goes. A copy does not while the original has the same log; a copy is made and
 * freed within one fsconfig(2) of the original. A context without a log ends with its
 * system call, and no later than its task. The memory of each may have been reused.
 */
static __always_inline bool is_gone(const volatile struct guard_pending *here)
{
	const struct task_struct *task = (void *)here->task;
	const struct fs_context *fc = (void *)here->context;

	if (here->log && here->copied)
		return at_work_on((void *)here->copy_of) != here->task;
	if (here->log)
		return (__u64)BPF_CORE_READ(fc, log.log) != here->log;
	return BPF_CORE_READ(task, exit_state) ||
	       BPF_CORE_READ(task, start_boottime) != here->started;
}

/* Free the slot of an entry, if the entry still has this number. */
static __always_inline void free_place(volatile struct guard_pending *entry, __u64 number)
{
	if (!claimed(entry, number))
		return;
	entry->task = 0;
	entry->copied = 0;
	__sync_lock_test_and_set(&entry->number, FREE);
	__sync_fetch_and_add(&pending.count, -1);
}

static __always_inline void forget_pending(struct found found)
{
	if (found.entry)
		free_place(found.entry, found.number);
}

static long forget_gone(__u32 i, void *unused)
{
	volatile struct guard_pending *here = place(i);
	__u64 number = number_of(here);

	if (number && is_gone(here))
		free_place(here, number);
	return 0;
}

/* Free the slots of contexts that are gone. */
static __noinline int forget_all_gone(void)
{
	bpf_loop(GUARD_PENDING, forget_gone, NULL, 0);
	return 0;
}

/*
 * Write an entry for new->context. Returns: 0, or -ENOMEM if all slots are
 * taken.
 */
static __always_inline int note_pending(const struct guard_pending *new)
{
	struct found old = pending_of(new->context);
	volatile struct guard_pending *entry = old.entry;
	const struct fs_context *fc = (void *)new->context;
	struct search search = { .place = GUARD_PENDING };

	/* the record of an earlier context at this address may be freed now */
	if (entry && !claimed(entry, old.number))
		entry = NULL;
	if (!entry) {
		__sync_fetch_and_add(&pending.count, 1);
		entry = walk_places(take_free, &search).entry;
		if (!entry) {
			forget_all_gone();
			entry = walk_places(take_free, &search).entry;
		}
	}
	if (!entry) {
		__sync_fetch_and_add(&pending.count, -1);
		return -ENOMEM;
	}
	entry->task = new->task;
	entry->started = this_start();
	entry->cred = (__u64)BPF_CORE_READ(fc, cred);
	entry->log = (__u64)BPF_CORE_READ(fc, log.log);
	entry->root = (__u64)BPF_CORE_READ(fc, root);
	entry->mode = new->mode;
	entry->own_call = new->own_call;
	entry->inherited = new->inherited;
	entry->copied = new->copied;
	entry->source = new->source;
	entry->fresh = new->fresh;
	entry->context = new->context;
	__sync_lock_test_and_set(&entry->number,
				 __sync_fetch_and_add(&pending.numbers, 1) + FIRST_NUMBER);
	return 0;
}

static long forget_own(__u32 i, struct search *search)
{
	volatile struct guard_pending *here = place(i);
	__u64 number = number_of(here);

	if (number && here->own_call && here->task == search->task)
		free_place(here, number);
	return 0;
}

/*
 * Forget this task's records of an earlier system call, when another one begins.
 */
static __always_inline void forget_calls(void)
{
	struct search search = {
		.task = this_task(),
		.place = GUARD_PENDING,
	};

	walk_places(forget_own, &search);
}

#endif /* UTF8VAL_GUARD_PENDING_H */
