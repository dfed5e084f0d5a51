/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that enter a directory through btrfs's ioctls for subvolumes and snapshots, which
 * call none of the hooks for new names. The kernel calls these programs for each ioctl.
 *
 * The name is in the caller's memory, and btrfs copies it after these programs have read
 * it: a thread or process that changes the name in between bypasses the check. No hook
 * sees the copy, except inode_init_security. An error there ends the transaction and
 * leaves the file system read-only, which would be worse than a bad name.
 *
 * The programs do not sleep, although the hook would permit it. A FUSE server could delay
 * a page for any time, and until then no BPF program of the host could be unloaded. A name
 * that is not in memory is therefore a fault; normally the caller has written it right
 * before.
 */
#ifndef UTF8VAL_GUARD_SUBVOLUMES_H
#define UTF8VAL_GUARD_SUBVOLUMES_H

#include <linux/errno.h>

#include "marks.h"
#include "name.h"
#include "new_names.h"

/* struct btrfs_ioctl_vol_args: a descriptor, then the name */
#define SNAP_CREATE 0x50009401u
#define SUBVOL_CREATE 0x5000940Eu
/* struct btrfs_ioctl_vol_args_v2 */
#define SNAP_CREATE_V2 0x50009417u
#define SUBVOL_CREATE_V2 0x50009418u
#define NAME_AT 8
#define NAME_AT_V2 56
#define ARGS_SIZE 4096

/* values of name.len during the search for the end */
#define NO_END 0
#define END 1
#define FAULT 2
#define USER_PIECE 8

static long user_byte(__u32 i, struct name *name)
{
	__u32 at = i;

	asm volatile("%0 &= 7" : "+r"(at));
	if (!name->piece[0].bytes[at]) {
		name->len = END;
		return 1;
	}
	name->state = shifted(utf8val_fast_rows[name->piece[0].bytes[at]], name->state) & 31;
	return 0;
}

static long user_piece(__u32 i, struct name *name)
{
	if (bpf_probe_read_user(name->piece[0].bytes, USER_PIECE,
				name->from + (__u64)i * USER_PIECE)) {
		name->len = FAULT;
		return 1;
	}
	bpf_loop(USER_PIECE, user_byte, name, 0);
	return name->len != NO_END || name->state == UTF8VAL_FAST_REJECT;
}

/* The name's offset in this command's arguments; 0: it makes no name. */
static __always_inline __u32 name_at(__u32 command)
{
	if (command == SNAP_CREATE || command == SUBVOL_CREATE)
		return NAME_AT;
	if (command == SNAP_CREATE_V2 || command == SUBVOL_CREATE_V2)
		return NAME_AT_V2;
	return 0;
}

/* The mode that holds for the name of a new subvolume. */
static __always_inline __u32 subvolume_mode(struct file *file)
{
	struct super_block *sb = file->f_inode->i_sb;
	__u32 op = GUARD_SUBVOLUME;
	struct guard_counts *count;
	__u32 mode;

	if (sb->s_magic != BTRFS_SUPER_MAGIC)
		return GUARD_UNSET;
	mode = mode_of(sb);
	count = bpf_map_lookup_elem(&counts, &op);
	if (mode_reports(mode) && count)
		__sync_fetch_and_add(&count->checked, 1);
	return mode;
}

#define PIECES ((ARGS_SIZE - NAME_AT_V2) / USER_PIECE)

/* Remove the bits that arm64 lets a program put at the top of an address. */
static __always_inline __u64 untagged(__u64 address)
{
	return address & (__u64)((__s64)(address << 8) >> 8);
}

static __noinline int checked_ioctl(struct file *file, __u32 command, __u64 arg)
{
	__u32 at = name_at(command);
	struct name name;
	__u32 mode;

	if (!at)
		return 0;
	mode = subvolume_mode(file);
	if (!mode_reports(mode))
		return 0;
	name_init(&name, (const unsigned char *)untagged(arg) + at,
		  NO_END + hidden_zero);
	bpf_loop(PIECES, user_piece, &name, 0);
	if (name.len == FAULT)
		return mode_refuses(mode) ? -EFAULT : 0;
	if (name.state == UTF8VAL_FAST_ACCEPT)
		return 0;
	return bad_name(file->f_path.dentry, NULL, 0, GUARD_SUBVOLUME, mode);
}

SEC("lsm/file_ioctl")
int BPF_PROG(guard_ioctl, struct file *file, unsigned int command,
	     unsigned long arg)
{
	return checked_ioctl(file, command, arg);
}

/* The ioctl of a 32-bit program. */
SEC("lsm/file_ioctl_compat")
int BPF_PROG(guard_ioctl_compat, struct file *file, unsigned int command,
	     unsigned long arg)
{
	return checked_ioctl(file, command, arg);
}

#endif /* UTF8VAL_GUARD_SUBVOLUMES_H */
