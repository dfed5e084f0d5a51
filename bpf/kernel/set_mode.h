/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two iterators over the files of the process that runs them, bpf/user/superblocks.c in the
 * command. The command has a file open as descriptor set_fd, which leads to a superblock.
 *
 * guard_set sets the mode of that superblock. With GUARD_UNSET it sets no mode, and frees
 * the slots of mounts that are gone.
 *
 * guard_walk_all begins at that superblock and follows the kernel's list of all superblocks.
 * The list also has superblocks that are covered by another mount, mounted only in other
 * mount namespaces, or unmounted and still in use. The list's lock is not taken. The kernel
 * frees a superblock after a grace period of RCU, and an iterator's program is one read-side
 * section of RCU.
 * The walk therefore reads the memory of a superblock or, for the list's head, other memory
 * of the kernel. A superblock that is taken out of the list points to itself from then on:
 * the walk ends there, and the command begins another. A superblock whose mark is set after
 * it was taken out loses the mark when it is freed.
 */
#ifndef UTF8VAL_GUARD_SET_MODE_H
#define UTF8VAL_GUARD_SET_MODE_H

#include "events.h"
#include "marks.h"
#include "mount_option.h"
#include "pending.h"
#include "policy.h"

/* set before a program is loaded */
const volatile __u32 set_fd;
const volatile __u32 set_mode;
const volatile __u32 set_source;
const volatile __u32 walk_how;		/* enum guard_walk */

/* The result; 1: the file was not found. */
int set_error = 1;

/* How many superblocks are in the map "seen", or would be if it were larger. */
__u32 walk_count;
/* Has the walk come back to where it began? */
__u32 walk_whole;

/* the command makes it larger */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct guard_seen);
} seen SEC(".maps");

SEC("iter/task_file")
int guard_set(struct bpf_iter__task_file *ctx)
{
	struct file *file = ctx->file;

	/* without a file once, after the last */
	if (!file && set_mode == GUARD_UNSET)
		forget_all_gone();
	if (file && ctx->fd == set_fd && set_error > 0)
		set_error = change_mode(file->f_path.dentry->d_sb, set_mode, set_source);
	return 0;
}

/* more superblocks than there is memory for */
#define LONGEST_WALK (1u << 22)

struct walk {
	__u64 first, at;
};

/* Give a superblock the policy's mode, or remove it if no line is left for it. */
static __always_inline int walk_gives(struct super_block *sb, __u32 mode, __u32 source,
				      __u32 policy_mode)
{
	bool policys = walk_how != GUARD_WALK_GIVE && source == GUARD_FROM_POLICY;
	bool others = walk_how == GUARD_WALK_APPLY && source != GUARD_FROM_MOUNT;

	if (walk_how == GUARD_WALK_LOOK || mode == policy_mode)
		return 0;
	if (mode != GUARD_UNSET && !policys && !others)
		return 0;
	if (policy_mode != GUARD_UNSET)
		return change_mode(sb, policy_mode, GUARD_FROM_POLICY);
	if (source != GUARD_FROM_POLICY)
		return 0;
	tell(sb, GUARD_LOWERED, mode, GUARD_UNSET);
	forget_mark(sb);
	return 0;
}

static __noinline int look_at(struct super_block *sb)
{
	__u32 dev = BPF_CORE_READ(sb, s_dev), policy_mode = policy_mode_of(sb), mode, source, at;
	const struct guard_mark *mark = mark_of(sb);
	struct guard_seen *entry;
	int error;

	/* the mark of an earlier superblock, which went while the kernel called no program */
	if (mark && mark->dev != dev) {
		forget_mark(sb);
		mark = NULL;
	}
	mode = mark ? mark->mode : GUARD_UNSET;
	source = source_of(sb);

	/* a mark without a type is on the mount of a self-test */
	if ((mark && !mark->type[0]) || (mode == GUARD_UNSET && policy_mode == GUARD_UNSET))
		return 0;
	error = walk_gives(sb, mode, source, policy_mode);
	at = walk_count++;
	entry = bpf_map_lookup_elem(&seen, &at);
	if (!entry)
		return 0;
	entry->sb = (__u64)sb;
	entry->dev = dev;
	entry->before = mode;
	entry->mode = mode_of(sb);
	entry->source = source_of(sb);
	entry->policy_mode = policy_mode;
	entry->error = error;
	bpf_probe_read_kernel(entry->uuid, sizeof(entry->uuid), &sb->s_uuid);
	read_types(sb, entry->type, sizeof(entry->type), entry->subtype,
		   sizeof(entry->subtype));
	return 0;
}

static long walk_step(__u32 i, struct walk *walk)
{
	const struct super_block *none = NULL;
	struct super_block *sb = (void *)walk->at;
	__u64 next = (__u64)BPF_CORE_READ(sb, s_list.next) -
		     bpf_core_field_offset(none->s_list);

	/* the list's head has no root; a superblock has none before and after its use */
	if ((__u64)BPF_CORE_READ(sb, s_root, d_sb) == walk->at)
		look_at(sb);
	if (next == walk->first)
		walk_whole = 1;
	if (next == walk->first || next == walk->at)
		return 1;
	walk->at = next;
	return 0;
}

SEC("iter/task_file")
int guard_walk_all(struct bpf_iter__task_file *ctx)
{
	struct file *file = ctx->file;
	struct walk walk;

	if (!file || ctx->fd != set_fd || set_error <= 0)
		return 0;
	walk.first = (__u64)BPF_CORE_READ(file, f_path.dentry, d_sb);
	walk.at = walk.first;
	bpf_loop(LONGEST_WALK, walk_step, &walk, 0);
	set_error = 0;
	return 0;
}

#endif /* UTF8VAL_GUARD_SET_MODE_H */
