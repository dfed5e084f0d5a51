/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The checks of a name that enters a directory. The kernel calls them from its hooks
 * with the directory locked, so the new dentry's name is stable. The hooks run before
 * the file system sees the name, which may be longer than the file system accepts.
 */
#ifndef UTF8VAL_GUARD_NEW_NAMES_H
#define UTF8VAL_GUARD_NEW_NAMES_H

#include <linux/errno.h>

#include "events.h"
#include "marks.h"
#include "name.h"
#include "questions.h"
#include "removed.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, GUARD_OPS);
	__type(key, __u32);
	__type(value, struct guard_counts);
} counts SEC(".maps");

/*
 * The error for a refused name. Kernel threads get EINVAL, which knfsd and
 * ksmbd can pass on to a client; they would turn EILSEQ into an I/O error.
 */
static __always_inline int refusal(void)
{
	const struct task_struct *task = (void *)bpf_get_current_task_btf();

	return is_kernel_thread(task) ? -EINVAL : -EILSEQ;
}

/*
 * The generation of the object that these programs are from; set before they
 * are loaded.
 */
const volatile __u64 generation;

/* @dir gets the name. @from is the name, or NULL if it is not known. */
static __noinline int bad_name(const struct dentry *dir,
			       const unsigned char *from, __u32 len, __u32 op,
			       __u32 mode)
{
	struct guard_counts *count = bpf_map_lookup_elem(&counts, &op);
	const struct guard_mark *mark = mark_of(BPF_CORE_READ(dir, d_sb));

	/*
	 * A mark without a type is on the mount of start's self-test. While one
	 * guard takes over from another, the kernel calls the programs of both.
	 * Those of the other guard accept these names, to hide no failure.
	 */
	if (mark && !mark->type[0])
		return mark->generation == generation ? -EILSEQ : 0;
	if (count)
		__sync_fetch_and_add(&count->bad, 1);
	tell_name(dir, WHAT(GUARD_BAD_NAME, op), mode, from, len);
	if (!mode_refuses(mode))
		return 0;
	if (count)
		__sync_fetch_and_add(&count->denied, 1);
	return refusal();
}

/*
 * Does the name exist already? An existing name is not a new name: it may be
 * replaced, exchanged or opened, even if it is bad. Where lookup ignores case,
 * rename may have found its target by another spelling. exfat, hfs, hfsplus and
 * ntfs3 then write the new spelling. vfat keeps the old one, and so do ext4,
 * f2fs and tmpfs with casefolding, which then compare names by their own
 * function in every directory.
 */
static __always_inline bool is_there(const struct inode *dir,
				     const struct dentry *dentry)
{
	if (!is_positive(dentry))
		return false;
	return !compares_names(dentry) ||
	       may_casefold(dir->i_sb) ||
	       dir->i_sb->s_magic == MSDOS_SUPER_MAGIC;
}

/*
 * Check a new name on a file system that may have a mark. The name comes first, because
 * most names are good, and the look-up of a mark takes longer than the check of a short
 * name. The count therefore includes names on a file system that is off, or on
 * an unmarked one in the slot of a marked one.
 */
static __noinline int checked_name(struct inode *dir, struct dentry *dentry,
				   __u32 op)
{
	struct guard_counts *count;
	__u32 mode;

	if (is_there(dir, dentry))
		return 0;
	count = bpf_map_lookup_elem(&counts, &op);
	if (count)
		__sync_fetch_and_add(&count->checked, 1);
	if (!entry_is_bad(dentry))
		return 0;
	mode = mode_of(dir->i_sb);
	if (!mode_reports(mode))
		return 0;
	if (removed_by_this_thread(dir, dentry, mode)) {
		if (count)
			__sync_fetch_and_add(&count->bad, 1);
		tell_name(dentry->d_parent, WHAT(GUARD_RESTORED, op), mode,
			  dentry->d_name.name, dentry->d_name.len);
		return 0;
	}
	return bad_name(dentry->d_parent, dentry->d_name.name, dentry->d_name.len, op, mode);
}

/*
 * Most file systems are not marked. Their names cost only the code of this function:
 * no call, and no register that a call would have to preserve.
 */
static __always_inline int new_name(struct inode *dir, struct dentry *dentry,
				    __u32 op)
{
	return *slot_of(dir->i_sb) ? checked_name(dir, dentry, op) : 0;
}

SEC("lsm/inode_create")
int BPF_PROG(guard_create, struct inode *dir, struct dentry *dentry)
{
	return new_name(dir, dentry, GUARD_CREATE);
}

SEC("lsm/inode_link")
int BPF_PROG(guard_link, struct dentry *old_dentry, struct inode *dir,
	     struct dentry *dentry)
{
	return new_name(dir, dentry, GUARD_LINK);
}

SEC("lsm/inode_symlink")
int BPF_PROG(guard_symlink, struct inode *dir, struct dentry *dentry)
{
	return new_name(dir, dentry, GUARD_SYMLINK);
}

SEC("lsm/inode_mkdir")
int BPF_PROG(guard_mkdir, struct inode *dir, struct dentry *dentry)
{
	return new_name(dir, dentry, GUARD_MKDIR);
}

SEC("lsm/inode_mknod")
int BPF_PROG(guard_mknod, struct inode *dir, struct dentry *dentry)
{
	return new_name(dir, dentry, GUARD_MKNOD);
}

SEC("lsm/inode_rename")
int BPF_PROG(guard_rename, struct inode *old_dir, struct dentry *old_dentry,
	     struct inode *dir, struct dentry *dentry)
{
	int error = new_name(dir, dentry, GUARD_RENAME);

	return error ? error : old_name(old_dir, old_dentry);
}

SEC("lsm/inode_unlink")
int BPF_PROG(guard_unlink, struct inode *dir, struct dentry *dentry)
{
	return old_name(dir, dentry);
}

SEC("lsm/inode_rmdir")
int BPF_PROG(guard_rmdir, struct inode *dir, struct dentry *dentry)
{
	return old_name(dir, dentry);
}

#endif /* UTF8VAL_GUARD_NEW_NAMES_H */
