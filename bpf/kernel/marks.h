/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marks, by the address of the superblock: a mark is the mode of a superblock, and where
 * the mode came from. The guard's other programs read and set marks.
 *
 * A mark goes when its superblock does. A superblock goes with its last mount, unless the
 * kernel itself keeps a mount (debugfs, tracefs). A superblock that was never mounted loses its
 * mark when it is freed. A new superblock at the same address starts without a mark.
 */
#ifndef UTF8VAL_GUARD_MARKS_H
#define UTF8VAL_GUARD_MARKS_H

#include <linux/errno.h>

#include "kernel_types.h"
#include "bpf/shared/guard_maps.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, GUARD_MARKS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u64);
	__type(value, struct guard_mark);
} marks SEC(".maps");

/* a separate map has a known address, so a slot is read without a helper */
SEC(".data.filter") __u32 filter[GUARD_SLOTS];

/*
 * The slot of a superblock, by the upper bits of a product. All bits of the
 * lower half of the address contribute to these bits.
 */
static __always_inline __u32 *slot_of(const struct super_block *sb)
{
	__u32 low;

	/*
	 * the verifier multiplies no address; a copy of its 32 bits is a number
	 */
	asm volatile("%0 = %1" : "=w"(low) : "w"((__u32)(__u64)sb));
	return &filter[low * 0x9E3779B1u >> 22 & (GUARD_SLOTS - 1)];
}

static __always_inline struct guard_mark *mark_of(const struct super_block *sb)
{
	__u64 key = (__u64)sb;

	return bpf_map_lookup_elem(&marks, &key);
}

static __always_inline __u32 mode_of(const struct super_block *sb)
{
	const struct guard_mark *mark = mark_of(sb);

	return mark ? mark->mode : GUARD_UNSET;
}

static __always_inline __u32 source_of(const struct super_block *sb)
{
	const struct guard_mark *mark = mark_of(sb);

	return mark ? mark->source : GUARD_FROM_OLDER;
}

/*
 * Returns: a number that no other superblock of the same device number has had since boot.
 * 0: an older guard has made the mark, or there is no mark.
 */
static __always_inline __u64 mark_number(const struct super_block *sb)
{
	const struct guard_mark *mark = mark_of(sb);

	return mark ? (__u64)mark->made_upper << 32 | mark->made : 0;
}

/* Set the mode. Returns: 0, or -ENOMEM, after which the old mode stays. */
static __noinline int set_mark(struct super_block *sb, __u32 mode, __u32 source)
{
	struct guard_mark new = { .mode = mode };
	struct guard_mark *old = mark_of(sb);
	__u32 *slot = slot_of(sb);
	__u64 key = (__u64)sb;

	if (!old) {
		__u64 now = bpf_ktime_get_boot_ns() >> 8;

		new.made = now;
		new.made_upper = now >> 32;
		new.dev = BPF_CORE_READ(sb, s_dev);
		bpf_probe_read_kernel_str(new.type, sizeof(new.type),
					  BPF_CORE_READ(sb, s_type, name));
		new.source = source;
		/*
		 * first the slot is counted: a check that finds it 0 looks for
		 * no mark
		 */
		__sync_fetch_and_add(slot, 1);
		if (!bpf_map_update_elem(&marks, &key, &new, BPF_NOEXIST))
			return 0;
		__sync_fetch_and_add(slot, -1);
		old = mark_of(sb);
		if (!old)
			return -ENOMEM;
	}
	old->mode = mode;
	/* a self-test puts a number into the field for the type; this byte is not part of it */
	old->source = source;
	return 0;
}

static __always_inline void forget_mark(struct super_block *sb)
{
	__u32 *slot = slot_of(sb);
	__u64 key = (__u64)sb;

	if (*slot && !bpf_map_delete_elem(&marks, &key))
		__sync_fetch_and_add(slot, -1);
}

SEC("lsm/sb_delete")
int BPF_PROG(guard_sb_delete, struct super_block *sb)
{
	forget_mark(sb);
	return 0;
}

SEC("lsm/sb_free_security")
int BPF_PROG(guard_sb_free, struct super_block *sb)
{
	forget_mark(sb);
	return 0;
}

#endif /* UTF8VAL_GUARD_MARKS_H */
