/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events for `utf8val-guard log`. They are limited as printk limits the
 * messages of one place, because anyone can make bad names.
 */
#ifndef UTF8VAL_GUARD_EVENTS_H
#define UTF8VAL_GUARD_EVENTS_H

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
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct guard_limit);
} limit SEC(".maps");

static __always_inline struct guard_limit *the_limit(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&limit, &zero);
}

/*
 * May one more event be told in this interval? Tasks that ask at the same
 * moment may get a few more through.
 */
static __noinline bool within_limit(void)
{
	struct guard_limit *now = the_limit();
	__u64 time = bpf_ktime_get_boot_ns();

	if (!now)
		return false;
	if (time - now->begin > GUARD_INTERVAL) {
		now->begin = time;
		now->told = 0;
	}
	if (__sync_fetch_and_add(&now->told, 1) < GUARD_BURST)
		return true;
	__sync_fetch_and_add(&now->missed, 1);
	return false;
}

static __always_inline struct guard_event *no_room(void)
{
	struct guard_limit *now = the_limit();

	if (now)
		__sync_fetch_and_add(&now->missed, 1);
	return NULL;
}

static __always_inline void describe(struct guard_event *event,
				     const struct super_block *sb, __u32 kind,
				     __u32 op, __u32 mode)
{
	struct guard_limit *now = the_limit();

	event->missed = now ? now->missed : 0;
	event->kind = kind;
	event->op = op;
	event->mode = mode;
	event->dev = 0;
	event->pid = bpf_get_current_pid_tgid() >> 32;
	event->len = 0;
	__builtin_memset(event->type, 0, sizeof(event->type));
	if (!sb)
		return;
	event->dev = BPF_CORE_READ(sb, s_dev);
	bpf_probe_read_kernel_str(event->type, sizeof(event->type),
				  BPF_CORE_READ(sb, s_type, name));
}

/*
 * Tell of an event that has no name. Such events come from root's work on
 * mounts, so they are not limited.
 */
static __noinline int tell(struct super_block *sb, __u32 kind, __u32 op,
			   __u32 mode)
{
	struct guard_event *event;

	event = bpf_ringbuf_reserve(&admin, sizeof(*event), 0);
	if (!event) {
		no_room();
		return 0;
	}
	describe(event, sb, kind, op, mode);
	bpf_ringbuf_submit(event, 0);
	return 0;
}

/*
 * Was this mounted by the host's root? What the owner of a user namespace
 * mounts is not for the host's log.
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

#define TELL_NAME(function, size)				\
static __noinline int function(struct super_block *sb, __u32 what,	\
			       __u32 mode, const unsigned char *from,	\
			       __u32 len)				\
{									\
	struct guard_event *event;					\
	__u64 count = len;						\
									\
	event = bpf_ringbuf_reserve(&events, sizeof(*event) + (size), 0);	\
	if (!event) {							\
		no_room();						\
		return 0;						\
	}								\
	describe(event, sb, KIND_OF(what), OP_OF(what), mode);		\
	event->len = len;						\
	asm volatile("%0 &= %1" : "+r"(count) : "i"(2 * (size) - 1));	\
	if (count <= (size))						\
		bpf_probe_read_kernel(event->name, count, from);	\
	bpf_ringbuf_submit(event, 0);					\
	return 0;							\
}

TELL_NAME(tell_short_name, GUARD_SHORT_NAME)
TELL_NAME(tell_long_name, GUARD_LONGEST_NAME)

static __always_inline void tell_name(struct super_block *sb, __u32 what,
				      __u32 mode, const unsigned char *from,
				      __u32 len)
{
	if (!belongs_to_host(sb) || !within_limit())
		return;
	if (len <= GUARD_SHORT_NAME)
		tell_short_name(sb, what, mode, from, len);
	else
		tell_long_name(sb, what, mode, from, len);
}

#endif /* UTF8VAL_GUARD_EVENTS_H */
