/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of dentries, superblocks and tasks. new_names.h and removed.h call them. */
#ifndef UTF8VAL_GUARD_QUESTIONS_H
#define UTF8VAL_GUARD_QUESTIONS_H

#include <stdbool.h>

#include "kernel_types.h"

/*
 * Does this name exist, that is, does it have an inode? Linux 6.12's verifier
 * assumes that the pointer is never NULL, and drops the code after a comparison
 * with NULL.
 */
static __always_inline bool is_positive(const struct dentry *dentry)
{
	return (__u64)dentry->d_inode > 1;
}

/*
 * Is this one of the kernel's own threads? They have no memory of a program. See
 * is_positive() for the comparison.
 */
static __always_inline bool is_kernel_thread(const struct task_struct *task)
{
	return (__u64)task->mm <= 1;
}

/* Can this file system have directories with casefolding? See is_positive(). */
static __always_inline bool may_casefold(const struct super_block *sb)
{
	return bpf_core_field_exists(sb->s_encoding) &&
	       (__u64)sb->s_encoding > 1;
}

/* Does the file system compare names by a function of its own? */
static __always_inline bool compares_names(const struct dentry *dentry)
{
	return BPF_CORE_READ(dentry, d_op, d_compare);
}

/*
 * Is the name spelled on the disk as it is here? Where lookup ignores case, as
 * on vfat and exfat, it may not be. Casefolding does not ignore the case of
 * names that are not UTF-8.
 */
static __always_inline bool is_spelled_so(const struct inode *dir,
					  const struct dentry *dentry)
{
	return !compares_names(dentry) || may_casefold(dir->i_sb);
}

#endif /* UTF8VAL_GUARD_QUESTIONS_H */
