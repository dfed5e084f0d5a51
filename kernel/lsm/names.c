// SPDX-License-Identifier: GPL-2.0-only
/*
 * The checks, where a name enters a directory. All hooks run with the
 * directory's i_rwsem held exclusively, so the new dentry's name is stable; but
 * cachefiles asks without it for what is there, whose name is not looked at.
 * They run before the file system looks at the name, so d_name.len may exceed
 * NAME_MAX.
 */
#include <linux/dcache.h>
#include <linux/magic.h>
#include <linux/percpu.h>
#include <asm/local64.h>

#include "lsm.h"

/* local64_t, so that no reader sees half of an update on a 32-bit kernel */
static DEFINE_PER_CPU(local64_t[UTF8VAL_COUNTERS][UTF8VAL_OPS], counters);

static void count(enum utf8val_counter which, enum utf8val_op op)
{
	local64_inc(&get_cpu_var(counters)[which][op]);
	put_cpu_var(counters);
}

u64 utf8val_sum(enum utf8val_counter which, enum utf8val_op op)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += local64_read(&per_cpu(counters, cpu)[which][op]);
	return sum;
}

/*
 * A name that is there already is no new name: it may be replaced, exchanged or
 * opened, however bad it is. Where lookup ignores case, rename may have found
 * its target by another spelling. exfat, hfs, hfsplus and ntfs3 then write the
 * new one, which has to be checked, as with 8-bit character sets a bad name can
 * find a good one. vfat and casefolding keep the old spelling. A file system
 * that can have directories with casefolding has a function that compares names
 * in all of its directories.
 */
static bool is_there(const struct inode *dir, const struct dentry *dentry)
{
	if (d_is_negative(dentry))
		return false;
	return !(dentry->d_flags & DCACHE_OP_COMPARE) ||
	       dir->i_sb->s_magic == MSDOS_SUPER_MAGIC ||
	       sb_has_encoding(dir->i_sb);
}

/* Out of line, so that good names do not pay for its registers and stack. */
static noinline int bad_name(const struct inode *dir,
			     const struct dentry *dentry,
			     enum utf8val_mode mode, enum utf8val_op op)
{
	count(UTF8VAL_BAD, op);
	utf8val_report_name(dir->i_sb, &dentry->d_name, op, mode);
	if (mode != UTF8VAL_MODE_ENFORCE)
		return 0;
	count(UTF8VAL_DENIED, op);
	return -EILSEQ;
}

static noinline int check_name(const struct inode *dir,
			       const struct dentry *dentry,
			       enum utf8val_mode mode, enum utf8val_op op)
{
	if (is_there(dir, dentry))
		return 0;
	count(UTF8VAL_CHECKED, op);
	if (likely(!utf8val_check_name(&dentry->d_name)))
		return 0;
	return bad_name(dir, dentry, mode, op);
}

/*
 * This load and comparison are all that an unmarked superblock costs, beside the
 * call of the hook. The order of check_name()'s arguments is the hooks', so that no
 * register is moved.
 */
static int new_name(const struct inode *dir, const struct dentry *dentry,
		    enum utf8val_op op)
{
	u8 mode = READ_ONCE(utf8val_sb(dir->i_sb)->mode);

	if (likely(mode < UTF8VAL_MODE_AUDIT))
		return 0;
	return check_name(dir, dentry, mode, op);
}

static int hook_inode_create(struct inode *dir, struct dentry *dentry,
			     umode_t mode)
{
	return new_name(dir, dentry, UTF8VAL_OP_CREATE);
}

static int hook_inode_link(struct dentry *old_dentry, struct inode *dir,
			   struct dentry *new_dentry)
{
	return new_name(dir, new_dentry, UTF8VAL_OP_LINK);
}

static int hook_inode_symlink(struct inode *dir, struct dentry *dentry,
			      const char *target)
{
	return new_name(dir, dentry, UTF8VAL_OP_SYMLINK);
}

static int hook_inode_mkdir(struct inode *dir, struct dentry *dentry,
			    umode_t mode)
{
	return new_name(dir, dentry, UTF8VAL_OP_MKDIR);
}

static int hook_inode_mknod(struct inode *dir, struct dentry *dentry,
			    umode_t mode, dev_t dev)
{
	return new_name(dir, dentry, UTF8VAL_OP_MKNOD);
}

static int hook_inode_rename(struct inode *old_dir, struct dentry *old_dentry,
			     struct inode *new_dir, struct dentry *new_dentry)
{
	return new_name(new_dir, new_dentry, UTF8VAL_OP_RENAME);
}

static struct security_hook_list hooks[] __ro_after_init = {
	LSM_HOOK_INIT(inode_create, hook_inode_create),
	LSM_HOOK_INIT(inode_link, hook_inode_link),
	LSM_HOOK_INIT(inode_symlink, hook_inode_symlink),
	LSM_HOOK_INIT(inode_mkdir, hook_inode_mkdir),
	LSM_HOOK_INIT(inode_mknod, hook_inode_mknod),
	LSM_HOOK_INIT(inode_rename, hook_inode_rename),
};

void __init utf8val_add_name_hooks(void)
{
	utf8val_add_hooks(hooks, ARRAY_SIZE(hooks));
}
