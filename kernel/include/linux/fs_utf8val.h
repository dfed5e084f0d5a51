/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mount option utf8val=: whether a file system takes new names that are not
 * UTF-8. See Documentation/filesystems/utf8val.rst.
 */
#ifndef _LINUX_FS_UTF8VAL_H
#define _LINUX_FS_UTF8VAL_H

#include <linux/compiler.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/slab.h>

struct fs_context;
struct fs_parameter;
struct seq_file;

/**
 * enum utf8val_mode - what happens to new names that are not UTF-8
 * @UTF8VAL_UNSET: nothing; nobody has given the superblock a mode
 * @UTF8VAL_OFF: nothing; somebody has asked for that
 * @UTF8VAL_AUDIT: they are created, and reported
 * @UTF8VAL_ENFORCE: they are refused with EILSEQ, and reported
 */
enum utf8val_mode {
	UTF8VAL_UNSET,
	UTF8VAL_OFF,
	UTF8VAL_AUDIT,
	UTF8VAL_ENFORCE
};

#ifdef CONFIG_FS_UTF8VAL

int utf8val_parse_param(struct fs_context *fc, const struct fs_parameter *param);
void utf8val_new_super(struct super_block *sb, const struct fs_context *fc);
void utf8val_inherit(struct fs_context *fc, const struct super_block *sb);
int utf8val_get_tree(struct fs_context *fc);
void utf8val_mounted(struct fs_context *fc);
void utf8val_reconfigure(struct fs_context *fc);
bool utf8val_can_share(const struct super_block *sb, const struct fs_context *fc);
void utf8val_show(struct seq_file *m, const struct super_block *sb);
int __utf8val_may_create(const struct inode *dir, const struct qstr *name);
int __utf8val_may_open(const struct inode *dir, const struct qstr *name);
void __utf8val_opened(const struct inode *dir, const struct qstr *name,
		      const struct dentry *result, const struct file *file);

/* Free what belongs to a superblock that is about to be freed. */
static inline void utf8val_free(struct super_block *sb)
{
	kfree(sb->s_utf8val_log);
}

/* May any new name be ill-formed, or does somebody want to know of it? */
static inline bool utf8val_applies(const struct inode *dir)
{
	return unlikely(READ_ONCE(dir->i_sb->s_utf8val) > UTF8VAL_OFF);
}

/**
 * utf8val_may_create() - may this name enter a directory?
 * @dir: the directory
 * @child: the dentry with the name
 *
 * A name that is not UTF-8 is reported, so call this when nothing else speaks
 * against the name any more.
 *
 * Context: Process context with the i_rwsem of @dir held exclusively, so that
 * the name does not change. Does not sleep.
 * Return: 0, or -EILSEQ when the name is not UTF-8 and @dir is on a file system
 * with utf8val=enforce.
 */
static inline int utf8val_may_create(const struct inode *dir,
				     const struct dentry *child)
{
	return utf8val_applies(dir) ?
		__utf8val_may_create(dir, &child->d_name) : 0;
}

/**
 * utf8val_may_respell() - may a rename write this name over that of its target?
 * @dir: the directory that the target is in
 * @target: the dentry that a rename is given, with the name as it is spelled there
 *
 * For file systems whose lookup ignores case and whose rename stores the new
 * spelling. Otherwise as utf8val_may_create(), which the VFS has called already
 * if @target is negative.
 */
static inline int utf8val_may_respell(const struct inode *dir,
				      const struct dentry *target)
{
	return d_is_positive(target) ? utf8val_may_create(dir, target) : 0;
}

/*
 * utf8val_may_create() before it is known whether open(O_CREAT) finds the name. This reports
 * nothing: utf8val_opened() does, with the result of the open.
 */
static inline int utf8val_may_open(const struct inode *dir,
				   const struct qstr *name)
{
	return utf8val_applies(dir) ? __utf8val_may_open(dir, name) : 0;
}

static inline void utf8val_opened(const struct inode *dir,
				  const struct qstr *name,
				  const struct dentry *result,
				  const struct file *file)
{
	if (utf8val_applies(dir))
		__utf8val_opened(dir, name, result, file);
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

static inline void utf8val_mounted(struct fs_context *fc)
{
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

static inline void utf8val_free(struct super_block *sb)
{
}

static inline int utf8val_may_create(const struct inode *dir,
				     const struct dentry *child)
{
	return 0;
}

static inline int utf8val_may_respell(const struct inode *dir,
				      const struct dentry *target)
{
	return 0;
}

static inline int utf8val_may_open(const struct inode *dir,
				   const struct qstr *name)
{
	return 0;
}

static inline void utf8val_opened(const struct inode *dir,
				  const struct qstr *name,
				  const struct dentry *result,
				  const struct file *file)
{
}

#endif /* CONFIG_FS_UTF8VAL */

#endif /* _LINUX_FS_UTF8VAL_H */
