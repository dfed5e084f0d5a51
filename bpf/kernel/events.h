/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events for `utf8val-guard log`; the guard's other programs report them. Anyone can make
 * bad names, so each user has a rate limit: nobody's flood hides the events of others.
 */
#ifndef UTF8VAL_GUARD_EVENTS_H
#define UTF8VAL_GUARD_EVENTS_H

#include <stdbool.h>

#include "kernel_types.h"
#include "bpf/shared/guard_maps.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, GUARD_RING);
} events SEC(".maps");

/*
 * Events about the administration of mounts have a buffer of their own, which
 * no flood of bad names can fill.
 */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, GUARD_ADMIN_RING);
} admin SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, GUARD_LIMITS);
	__type(key, __u32);
	__type(value, struct guard_limit);
} limits SEC(".maps");

static __always_inline struct guard_limit *limit_at(__u32 i)
{
	return bpf_map_lookup_elem(&limits, &i);
}

/*
 * The limit of this task's user. A daemon of root works for its user for files; a program
 * that is setuid root works for the user who started it. All user namespaces share the
 * first limit, because the owner of one has thousands of users.
 */
static __always_inline struct guard_limit *limit_of_user(void)
{
	const struct task_struct *task = (void *)bpf_get_current_task_btf();
	__u32 user = BPF_CORE_READ(task, real_cred, uid.val);

	if (BPF_CORE_READ(task, cred, user_ns, level))
		return limit_at(0);
	if (!user)
		user = BPF_CORE_READ(task, cred, fsuid.val);
	return limit_at(1 + user % (GUARD_LIMITS - 1));
}

/* Count an event that is not reported. The first limit has the sum. */
static __always_inline void count_missed(void)
{
	struct guard_limit *first = limit_at(0);

	if (first)
		__sync_fetch_and_add(&first->missed, 1);
}

/*
 * May one more event be reported in this interval? Tasks that call this at the
 * same moment may get a few more through.
 */
static __noinline bool within_limit(void)
{
	struct guard_limit *now = limit_of_user();
	__u64 time = bpf_ktime_get_boot_ns();

	if (!now)
		return false;
	if (time - now->begin > GUARD_INTERVAL) {
		now->begin = time;
		now->told = 0;
	}
	if (__sync_fetch_and_add(&now->told, 1) < GUARD_BURST)
		return true;
	count_missed();
	return false;
}

static __always_inline void describe(struct guard_event *event,
				     const struct super_block *sb, __u32 kind,
				     __u32 op, __u32 mode)
{
	const struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct guard_limit *first = limit_at(0);

	event->missed = first ? first->missed : 0;
	event->kind = kind;
	event->op = op;
	event->mode = mode;
	event->dev = 0;
	event->pid = bpf_get_current_pid_tgid() >> 32;
	event->len = 0;
	event->uid = BPF_CORE_READ(task, real_cred, uid.val);
	event->fsuid = BPF_CORE_READ(task, cred, fsuid.val);
	bpf_get_current_comm(event->comm, sizeof(event->comm));
	event->dir = 0;
	event->depth = 0;
	event->unused = 0;
	__builtin_memset(event->type, 0, sizeof(event->type));
	if (!sb)
		return;
	event->dev = BPF_CORE_READ(sb, s_dev);
	bpf_probe_read_kernel_str(event->type, sizeof(event->type),
				  BPF_CORE_READ(sb, s_type, name));
}

/*
 * Report an event that has no name. Such events come from root's work on
 * mounts, so they are not limited.
 */
static __noinline int tell(struct super_block *sb, __u32 kind, __u32 op,
			   __u32 mode)
{
	struct guard_event *event;

	event = bpf_ringbuf_reserve(&admin, sizeof(*event), 0);
	if (!event) {
		count_missed();
		return 0;
	}
	describe(event, sb, kind, op, mode);
	bpf_ringbuf_submit(event, 0);
	return 0;
}

/*
 * Was this mounted by the host's root? The host's log has no events of mounts
 * by owners of user namespaces.
 */
static __always_inline bool belongs_to_host(const struct super_block *sb)
{
	return !BPF_CORE_READ(sb, s_user_ns, level);
}

/*
 * A BPF function has five arguments at most, so kind and operation share one.
 */
#define WHAT(kind, op) ((kind) << 8 | (op))
#define KIND_OF(what) ((what) >> 8)
#define OP_OF(what) ((what) & 0xFF)

/*
 * Record a directory, and its path from the end. A directory above it may be renamed
 * meanwhile, and its name read in part: then only the path is wrong.
 */
static __noinline int describe_dir(struct guard_event *event, const struct dentry *dir)
{
	__u32 i;

	event->dir = BPF_CORE_READ(dir, d_inode, i_ino);
	for (i = 0; i < GUARD_DEPTH; i++) {
		const struct dentry *parent = BPF_CORE_READ(dir, d_parent);

		if (parent == dir)
			break;
		bpf_probe_read_kernel_str(event->path[i], GUARD_COMPONENT,
					  BPF_CORE_READ(dir, d_name.name));
		event->depth = i + 1;
		dir = parent;
	}
	return 0;
}

/* Fill in an event that was reserved with room for so many bytes of the name, and submit it. */
static __always_inline void submit_name(struct guard_event *event, __u64 room,
					const struct dentry *dir, __u32 what, __u32 mode,
					const unsigned char *from, __u32 len)
{
	__u64 count = len;

	describe(event, BPF_CORE_READ(dir, d_sb), KIND_OF(what), OP_OF(what), mode);
	describe_dir(event, dir);
	event->len = len;
	asm volatile("%0 &= 8191" : "+r"(count));
	if (count <= room)
		bpf_probe_read_kernel(event->name, count, from);
	bpf_ringbuf_submit(event, 0);
}

static __noinline int tell_short_name(const struct dentry *dir, __u32 what, __u32 mode,
				      const unsigned char *from, __u32 len)
{
	struct guard_event *event;

	event = bpf_ringbuf_reserve(&events, sizeof(*event) + GUARD_SHORT_NAME, 0);
	if (event)
		submit_name(event, GUARD_SHORT_NAME, dir, what, mode, from, len);
	else
		count_missed();
	return 0;
}

static __noinline int tell_long_name(const struct dentry *dir, __u32 what, __u32 mode,
				     const unsigned char *from, __u32 len)
{
	struct guard_event *event;

	event = bpf_ringbuf_reserve(&events, sizeof(*event) + GUARD_LONGEST_NAME, 0);
	if (event)
		submit_name(event, GUARD_LONGEST_NAME, dir, what, mode, from, len);
	else
		count_missed();
	return 0;
}

/* Report a name in a directory. */
static __always_inline void tell_name(const struct dentry *dir, __u32 what, __u32 mode,
				      const unsigned char *from, __u32 len)
{
	if (!belongs_to_host(BPF_CORE_READ(dir, d_sb)) || !within_limit())
		return;
	if (len <= GUARD_SHORT_NAME)
		tell_short_name(dir, what, mode, from, len);
	else
		tell_long_name(dir, what, mode, from, len);
}

#endif /* UTF8VAL_GUARD_EVENTS_H */
