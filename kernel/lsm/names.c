// SPDX-License-Identifier: GPL-2.0-only
/*
 * The checks, where a name enters a directory. All these hooks run with the
 * directory's i_rwsem held exclusively, so the new dentry's name is stable.
 * They run before the file system looks at the name, so d_name.len may exceed
 * NAME_MAX.
 */
#include <linux/dcache.h>
#include <linux/magic.h>
#include <linux/percpu.h>
#include <asm/local64.h>

#include "lsm.h"

/* local64_t, so that no reader sees half of an update on a 32-bit kernel */
struct cpu_stats {
	local64_t count[UTF8VAL_OPS];
};

static DEFINE_PER_CPU(struct cpu_stats, checked);
static DEFINE_PER_CPU(struct cpu_stats, bad);
static DEFINE_PER_CPU(struct cpu_stats, denied);

static void count(struct cpu_stats __percpu *stats, enum utf8val_op op)
{
	local64_inc(&get_cpu_ptr(stats)->count[op]);
	put_cpu_ptr(stats);
}

static u64 sum_of(struct cpu_stats __percpu *stats, enum utf8val_op op)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += local64_read(&per_cpu_ptr(stats, cpu)->count[op]);
	return sum;
}

/*
 * Sums over all CPUs. Each counter is exact, but the counters are read one
 * after another, so that names checked meanwhile are in some of the sums only.
 */
void utf8val_read_stats(struct utf8val_stats *sum)
{
	int op;

	for (op = 0; op < UTF8VAL_OPS; op++) {
		sum->checked[op] = sum_of(&checked, op);
		sum->bad[op] = sum_of(&bad, op);
		sum->denied[op] = sum_of(&denied, op);
	}
}

/*
 * On a file system whose lookup ignores case: does renaming over an existing
 * name keep that name's spelling? vfat does, and so do ext4, f2fs and tmpfs,
 * which are in the list because with casefolding they compare names by a
 * function of their own in every directory, also in one that does not ignore
 * case.
 */
static bool keeps_spelling(const struct inode *dir)
{
	switch (dir->i_sb->s_magic) {
	case EXT4_SUPER_MAGIC:
	case F2FS_SUPER_MAGIC:
	case MSDOS_SUPER_MAGIC:
	case TMPFS_MAGIC:
		return true;
	default:
		return IS_CASEFOLDED(dir);
	}
}

/*
 * A name that is there already is no new name: it may be replaced, exchanged or
 * opened, however bad it is. Where lookup ignores case, rename may have found
 * its target by another spelling than the target has on the disk. exfat, hfs,
 * hfsplus and ntfs3 then write the new spelling, so there it has to be checked:
 * with their 8-bit character sets a bad name can find a good one.
 */
static bool is_there(const struct inode *dir, const struct dentry *dentry)
{
	if (d_is_negative(dentry))
		return false;
	return !(dentry->d_flags & DCACHE_OP_COMPARE) ||
	       keeps_spelling(dir);
}

/*
 * What is done about a bad name. This may sleep to read a directory's
 * attribute. It is out of line, so that good names do not pay for the registers
 * and the stack that it needs.
 */
static noinline int bad_name(const struct inode *dir,
			     const struct dentry *dentry,
			     enum utf8val_mode mode, enum utf8val_op op)
{
	if (utf8val_is_exempt(dentry))
		return 0;
	count(&bad, op);
	utf8val_report_name(dir->i_sb, &dentry->d_name, op, mode);
	if (mode != UTF8VAL_MODE_ENFORCE)
		return 0;
	count(&denied, op);
	return -EILSEQ;
}

static noinline int check_name(const struct inode *dir,
			       const struct dentry *dentry,
			       enum utf8val_mode mode, enum utf8val_op op)
{
	if (is_there(dir, dentry))
		return 0;
	count(&checked, op);
	if (likely(!utf8val_check_name(&dentry->d_name)))
		return 0;
	return bad_name(dir, dentry, mode, op);
}

/*
 * The load and the comparison here are all that an unmarked superblock costs.
 * check_name() takes its arguments in the order in which the hooks get them, so
 * that no register has to be moved for the call.
 */
static int new_name(const struct inode *dir, const struct dentry *dentry,
		    enum utf8val_op op)
{
	u8 mode = READ_ONCE(utf8val_sb(dir->i_sb)->mode);

	if (likely(mode < UTF8VAL_MODE_AUDIT))
		return 0;
	return check_name(dir, dentry, mode, op);
}

int utf8val_inode_create(struct inode *dir, struct dentry *dentry,
			 umode_t mode)
{
	return new_name(dir, dentry, UTF8VAL_OP_CREATE);
}

int utf8val_inode_link(struct dentry *old_dentry, struct inode *dir,
		       struct dentry *new_dentry)
{
	return new_name(dir, new_dentry, UTF8VAL_OP_LINK);
}

int utf8val_inode_symlink(struct inode *dir, struct dentry *dentry,
			  const char *target)
{
	return new_name(dir, dentry, UTF8VAL_OP_SYMLINK);
}

int utf8val_inode_mkdir(struct inode *dir, struct dentry *dentry,
			umode_t mode)
{
	return new_name(dir, dentry, UTF8VAL_OP_MKDIR);
}

int utf8val_inode_mknod(struct inode *dir, struct dentry *dentry,
			umode_t mode, dev_t dev)
{
	return new_name(dir, dentry, UTF8VAL_OP_MKNOD);
}

int utf8val_inode_rename(struct inode *old_dir, struct dentry *old_dentry,
			 struct inode *new_dir, struct dentry *new_dentry)
{
	return new_name(new_dir, new_dentry, UTF8VAL_OP_RENAME);
}
