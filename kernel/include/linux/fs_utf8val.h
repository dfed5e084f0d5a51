/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mode of a superblock: whether a file system accepts new names that are
 * not UTF-8.
 * See Documentation/filesystems/utf8val.rst.
 */
#ifndef _LINUX_FS_UTF8VAL_H
#define _LINUX_FS_UTF8VAL_H

#include <linux/compiler.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/utf8val.h>

struct fs_context;
struct fs_parameter;
struct seq_file;

/**
 * enum utf8val_mode - what happens to new names that are not UTF-8
 * @UTF8VAL_UNSET: the names are created; no mount or remount has set a mode
 * @UTF8VAL_OFF: the names are created; a mount or remount has set this mode
 * @UTF8VAL_AUDIT: the names are created, and reported
 * @UTF8VAL_ENFORCE: the names are refused with EILSEQ, and reported
 */
enum utf8val_mode {
	UTF8VAL_UNSET,
	UTF8VAL_OFF,
	UTF8VAL_AUDIT,
	UTF8VAL_ENFORCE
};

#ifdef CONFIG_FS_UTF8VAL

int utf8val_parse_param(struct fs_context *fc,
			const struct fs_parameter *param);
void utf8val_new_super(struct super_block *sb, const struct fs_context *fc);
void utf8val_inherit(struct fs_context *fc, const struct super_block *sb);
int utf8val_get_tree(struct fs_context *fc);
void utf8val_reconfigure(struct fs_context *fc);
bool utf8val_can_share(const struct super_block *sb,
		       const struct fs_context *fc);
void utf8val_show(struct seq_file *m, const struct super_block *sb);
bool utf8val_may_skip_lookup(const struct inode *dir,
			     const struct dentry *child);
int __utf8val_may_create(const struct inode *dir, const struct qstr *name);
void __utf8val_report(const struct inode *dir, const struct qstr *name,
		      bool refused);

static inline bool utf8val_is(const struct inode *dir, enum utf8val_mode mode)
{
	return unlikely(READ_ONCE(dir->i_sb->s_utf8val) == mode);
}

/**
 * utf8val_may_create() - may this name be created in a directory?
 * @dir: the directory
 * @child: the dentry with the name
 *
 * Call this function after all other checks of permission, because it reports
 * the name that it refuses.
 *
 * Context: Process context. The i_rwsem of @dir is held exclusively. Does not
 * sleep.
 * Return: 0, or -EILSEQ if the name is not UTF-8 and the mode of the file system
 * of @dir is enforce.
 */
static inline int utf8val_may_create(const struct inode *dir,
				     const struct dentry *child)
{
	return utf8val_is(dir, UTF8VAL_ENFORCE) ?
		__utf8val_may_create(dir, &child->d_name) : 0;
}

/* Does rename() store the new spelling of a name that exists? */
static inline bool utf8val_respells(const struct inode *dir)
{
	return dir->i_sb->s_type->fs_flags & FS_RENAME_RESPELLS;
}

/* utf8val_may_create() for the new name of a rename with these flags */
static inline int utf8val_may_rename(const struct inode *dir,
				     const struct dentry *target,
				     unsigned int flags)
{
	if (d_really_is_positive(target) &&
	    (flags & RENAME_EXCHANGE || !utf8val_respells(dir)))
		return 0;
	return utf8val_may_create(dir, target);
}

/*
 * utf8val_may_create() before open(O_CREAT) knows whether the name exists. It
 * reports nothing, because the open may still succeed; utf8val_refused() reports.
 */
static inline int utf8val_may_open(const struct inode *dir,
				   const struct dentry *child)
{
	return utf8val_is(dir, UTF8VAL_ENFORCE) ?
		utf8val_check_name(&child->d_name) : 0;
}

/* Report the name that utf8val_may_open() has refused, and return the error. */
static inline int utf8val_refused(const struct inode *dir,
				  const struct qstr *name, int error)
{
	if (unlikely(error == -EILSEQ) && utf8val_is(dir, UTF8VAL_ENFORCE))
		__utf8val_report(dir, name, true);
	return error;
}

/* Report a name that was created with the mode audit, if it is not UTF-8. */
static inline void utf8val_created(const struct inode *dir,
				   const struct dentry *child)
{
	if (utf8val_is(dir, UTF8VAL_AUDIT))
		__utf8val_report(dir, &child->d_name, false);
}

/* utf8val_created() after a rename; @target is the inode that it replaced. */
static inline void utf8val_renamed(const struct inode *dir,
				   const struct dentry *moved,
				   const struct inode *target)
{
	if (!target || utf8val_respells(dir))
		utf8val_created(dir, moved);
}

#else /* !CONFIG_FS_UTF8VAL */

static inline int utf8val_parse_param(struct fs_context *fc,
				      const struct fs_parameter *param)
{
	return -ENOPARAM;
}

static inline void utf8val_new_super(struct super_block *sb,
				     const struct fs_context *fc)
{
}

static inline void utf8val_inherit(struct fs_context *fc,
				   const struct super_block *sb)
{
}

static inline int utf8val_get_tree(struct fs_context *fc)
{
	return 0;
}

static inline void utf8val_reconfigure(struct fs_context *fc)
{
}

static inline bool utf8val_can_share(const struct super_block *sb,
				     const struct fs_context *fc)
{
	return true;
}

static inline void utf8val_show(struct seq_file *m,
				const struct super_block *sb)
{
}

static inline int utf8val_may_create(const struct inode *dir,
				     const struct dentry *child)
{
	return 0;
}

static inline bool utf8val_may_skip_lookup(const struct inode *dir,
					   const struct dentry *child)
{
	return true;
}

static inline int utf8val_may_rename(const struct inode *dir,
				     const struct dentry *target,
				     unsigned int flags)
{
	return 0;
}

static inline int utf8val_may_open(const struct inode *dir,
				   const struct dentry *child)
{
	return 0;
}

static inline int utf8val_refused(const struct inode *dir,
				  const struct qstr *name, int error)
{
	return error;
}

static inline void utf8val_created(const struct inode *dir,
				   const struct dentry *child)
{
}

static inline void utf8val_renamed(const struct inode *dir,
				   const struct dentry *moved,
				   const struct inode *target)
{
}

#endif /* CONFIG_FS_UTF8VAL */

#endif /* _LINUX_FS_UTF8VAL_H */
