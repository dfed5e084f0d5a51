// SPDX-License-Identifier: GPL-2.0-only
/*
 * The extended attribute security.utf8val. On a root directory it is the mode
 * that the file system has unless an option says otherwise. On any other
 * directory it says that names in that directory and below need not be UTF-8.
 *
 * The attribute travels with the disk, so whoever filled the disk wrote it.
 * That is why no attribute is looked at unless the kernel was started with
 * utf8val.persistent=on.
 */
#define pr_fmt(fmt) "utf8val: " fmt

#include <linux/capability.h>
#include <linux/dcache.h>
#include <linux/kdev_t.h>
#include <linux/magic.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/user_namespace.h>
#include <linux/xattr.h>

#include "attribute.h"

#define ATTRIBUTE XATTR_SECURITY_PREFIX "utf8val"

static bool utf8val_persistent __ro_after_init;
#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX "utf8val."
module_param_named(persistent, utf8val_persistent, bool, 0444);

/*
 * Attributes count where the kernel itself reads them, from a block device or
 * from memory. A file server, on the network or in user space, could make up
 * any attribute, and could let the task that asks wait for ever with s_umount
 * or a directory's lock held. An overlay shows the attributes of its layers,
 * any of which may be on such a server. What a user namespace has mounted is
 * filled by the namespace's owner.
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
 * Returns: enum utf8val_mode of the directory's attribute, UNSET if the
 * directory has none, or an error.
 *
 * May sleep, as a lookup may. The caller may hold s_umount or the directory's
 * i_rwsem, because file systems take their locks for attributes after either of
 * the two: SELinux reads attributes with s_umount held, and a new inode gets
 * its first attributes with the directory's i_rwsem held.
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
 * The mode that the root directory's attribute sets for a superblock which is
 * being mounted. If the attribute cannot be read or understood, the mount
 * fails, as the mode that was meant is unknown. Such a file system can be
 * mounted with the option, with which the attribute is not read.
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
 * May the directory of this entry have any names? The attribute of the nearest
 * directory that has one decides, be it this directory or one above it: "off"
 * means yes. Nothing is copied into new directories, so a directory that a user
 * makes there and moves elsewhere is like any other.
 *
 * The directory's i_rwsem is held. A directory above it may be moved meanwhile;
 * the walk then goes by its old place or by its new one.
 */
bool utf8val_is_exempt(const struct dentry *entry)
{
	int mode = UTF8VAL_MODE_UNSET;
	struct dentry *dir, *above;

	if (!attributes_count(entry->d_sb))
		return false;
	/* the root's attribute is the file system's mode, not an exemption */
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
 * The kernel's own check of security.* attributes asks for CAP_SYS_ADMIN in the
 * user namespace of the superblock, and Linux 6.1 leaves even that check to the
 * other security modules.
 */
static int may_change(void)
{
	return capable(CAP_SYS_ADMIN) ? 0 : -EPERM;
}

static int hook_inode_setxattr(struct mnt_idmap *idmap, struct dentry *dentry,
			       const char *name, const void *value,
			       size_t size, int flags)
{
	int err;

	if (strcmp(name, ATTRIBUTE))
		return 0;
	err = may_change();
	if (!err && (!d_is_dir(dentry) || utf8val_parse_mode(value, size) < 0))
		err = -EINVAL;
	return err;
}

static int hook_inode_removexattr(struct mnt_idmap *idmap,
				  struct dentry *dentry, const char *name)
{
	if (strcmp(name, ATTRIBUTE))
		return 0;
	return may_change();
}

/*
 * The attribute stays behind when an overlay copies a directory up: the overlay
 * copies with the rights of its mounter, so an attribute that anybody wrote
 * into the lower layer would count in the upper one.
 */
static int hook_inode_copy_up_xattr(struct dentry *src, const char *name)
{
	return strcmp(name, ATTRIBUTE) ? -EOPNOTSUPP : -ECANCELED;
}

static struct security_hook_list hooks[] __ro_after_init = {
	LSM_HOOK_INIT(inode_setxattr, hook_inode_setxattr),
	LSM_HOOK_INIT(inode_removexattr, hook_inode_removexattr),
	LSM_HOOK_INIT(inode_copy_up_xattr, hook_inode_copy_up_xattr),
};

void __init utf8val_add_attribute_hooks(void)
{
	utf8val_add_hooks(hooks, ARRAY_SIZE(hooks));
}
