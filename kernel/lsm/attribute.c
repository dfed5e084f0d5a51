// SPDX-License-Identifier: GPL-2.0-only
/*
 * The extended attribute security.utf8val: on the root directory what its file
 * system has unless an option says otherwise, on another directory that names
 * in it and below need not be UTF-8.
 *
 * It travels with the disk, and whoever filled that wrote it. So no attribute
 * is looked at unless the kernel was started with utf8val.persistent=on.
 */
#define pr_fmt(fmt) "utf8val: " fmt

#include <linux/capability.h>
#include <linux/dcache.h>
#include <linux/kdev_t.h>
#include <linux/magic.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/user_namespace.h>
#include <linux/xattr.h>

#include "lsm.h"

#define ATTRIBUTE XATTR_SECURITY_PREFIX "utf8val"

bool utf8val_persistent __ro_after_init;

/*
 * Attributes count where the kernel itself reads them, from a block device or
 * from memory. A server, on the network or in user space, could say what it
 * likes, and never answer while we hold s_umount or a directory; any layer of
 * an overlay may have one. What a user namespace mounts is its owner's.
 */
static bool attributes_count(const struct super_block *sb)
{
	if (!utf8val_persistent || sb->s_user_ns != &init_user_ns)
		return false;
	if (sb->s_magic == TMPFS_MAGIC)
		return true;
	return sb->s_type->fs_flags & FS_REQUIRES_DEV &&
	       sb->s_magic != FUSE_SUPER_MAGIC;
}

/*
 * enum utf8val_mode of a directory's attribute, UNSET without one, or an error.
 * May sleep, as a lookup may. What a file system locks for it comes after
 * s_umount and a directory's i_rwsem: SELinux reads attributes under the one,
 * and new inodes are given theirs under the other.
 */
static int read_mode(struct dentry *dir)
{
	char value[UTF8VAL_MODE_ROOM];
	ssize_t len = __vfs_getxattr(dir, d_inode(dir), ATTRIBUTE, value,
				     sizeof(value));

	if (len == -ENODATA || len == -EOPNOTSUPP)
		return UTF8VAL_MODE_UNSET;
	if (len == -ERANGE)
		return -EINVAL;
	return len < 0 ? len : utf8val_parse_mode(value, len);
}

/*
 * The same of the root directory of a superblock that is being mounted. An
 * attribute that cannot be read or understood is no reason to go on without:
 * the mount fails, and needs the option, with which it is not read.
 */
int utf8val_root_mode(const struct super_block *sb)
{
	int mode;

	if (!attributes_count(sb))
		return UTF8VAL_MODE_UNSET;
	mode = read_mode(sb->s_root);
	if (mode < 0)
		pr_warn("cannot use %s on the root of %u:%u (%s): error %d\n",
			ATTRIBUTE, MAJOR(sb->s_dev), MINOR(sb->s_dev),
			sb->s_type->name, mode);
	return mode;
}

/*
 * May this entry's directory have any names? The nearest directory with the
 * attribute decides, this one or one above it: by "off", yes. Nothing is copied
 * into new directories: one that a user makes there and moves elsewhere is as any
 * other.
 *
 * The directory's i_rwsem is held, of those above none.
 */
bool utf8val_is_exempt(const struct dentry *entry)
{
	int mode = UTF8VAL_MODE_UNSET;
	struct dentry *dir, *above;

	if (!attributes_count(entry->d_sb))
		return false;
	/* the root's attribute is the file system's, and an option goes first */
	for (dir = dget(entry->d_parent); !IS_ROOT(dir); dir = above) {
		mode = read_mode(dir);
		if (mode != UTF8VAL_MODE_UNSET)
			break;
		above = dget_parent(dir);
		dput(dir);
	}
	dput(dir);
	return mode == UTF8VAL_MODE_OFF;
}

/*
 * The kernel's own check of security.* asks for CAP_SYS_ADMIN in the user
 * namespace of the superblock, and Linux 6.1 leaves it to the other modules.
 */
static int may_change(void)
{
	return capable(CAP_SYS_ADMIN) ? 0 : -EPERM;
}

int utf8val_inode_setxattr(struct mnt_idmap *idmap, struct dentry *dentry,
			   const char *name, const void *value, size_t size,
			   int flags)
{
	int err;

	if (strcmp(name, ATTRIBUTE))
		return 0;
	err = may_change();
	if (!err && (!d_is_dir(dentry) || utf8val_parse_mode(value, size) < 0))
		err = -EINVAL;
	return err;
}

int utf8val_inode_removexattr(struct mnt_idmap *idmap, struct dentry *dentry,
			      const char *name)
{
	if (strcmp(name, ATTRIBUTE))
		return 0;
	return may_change();
}

/*
 * A directory that an overlay copies up leaves its attribute behind: the overlay
 * copies with its mounter's rights, and in the upper layer the attribute would
 * count, whoever wrote it into the lower one.
 */
int utf8val_inode_copy_up_xattr(struct dentry *src, const char *name)
{
	return strcmp(name, ATTRIBUTE) ? -EOPNOTSUPP : -ECANCELED;
}
