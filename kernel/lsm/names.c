// SPDX-License-Identifier: GPL-2.0-only
/*
 * The checks, where a name enters or leaves a directory. All hooks run with the
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
 * Can this file system have directories with casefolding? It then compares
 * names by a function of its own in every directory, also in one that does not
 * ignore case.
 */
static bool may_casefold(const struct inode *dir)
{
	switch (dir->i_sb->s_magic) {
	case EXT4_SUPER_MAGIC:
	case F2FS_SUPER_MAGIC:
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
 * with their 8-bit character sets a bad name can find a good one. vfat keeps
 * the old spelling, and so do file systems with casefolding.
 */
static bool is_there(const struct inode *dir, const struct dentry *dentry)
{
	if (d_is_negative(dentry))
		return false;
	return !(dentry->d_flags & DCACHE_OP_COMPARE) ||
	       dir->i_sb->s_magic == MSDOS_SUPER_MAGIC || may_casefold(dir);
}

/*
 * What is done about a bad name. It is out of line, so that good names do not
 * pay for the registers and the stack that it needs.
 */
static noinline int bad_name(const struct inode *dir,
			     const struct dentry *dentry,
			     enum utf8val_mode mode, enum utf8val_op op)
{
	bool restored = utf8val_may_restore(dir, &dentry->d_name);

	count(&bad, op);
	utf8val_report_name(dir->i_sb, &dentry->d_name, op, mode, restored);
	if (restored || mode != UTF8VAL_MODE_ENFORCE)
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

/*
 * A name is about to leave a directory, by removal or to get another name. If
 * lookup ignores the name's case, as on vfat and exfat, the name may have
 * another spelling on the disk; casefolding does not ignore the case of names
 * that are not UTF-8.
 *
 * Where names are not checked now, a note that is there already is still kept
 * up to date: the note of a removal that failed must not outlast the removal,
 * by somebody else, that succeeded while the mode was off. Returns: 0.
 */
static int old_name(struct inode *dir, const struct dentry *dentry)
{
	if (READ_ONCE(utf8val_sb(dir->i_sb)->mode) < UTF8VAL_MODE_AUDIT &&
	    !utf8val_has_removals(dir))
		return 0;
	if (dentry->d_flags & DCACHE_OP_COMPARE && !may_casefold(dir))
		return 0;
	if (utf8val_check_name(&dentry->d_name))
		utf8val_note_removal(dir, &dentry->d_name);
	return 0;
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
	int err = new_name(new_dir, new_dentry, UTF8VAL_OP_RENAME);

	return err ?: old_name(old_dir, old_dentry);
}

int utf8val_inode_unlink(struct inode *dir, struct dentry *dentry)
{
	return old_name(dir, dentry);
}

int utf8val_inode_rmdir(struct inode *dir, struct dentry *dentry)
{
	return old_name(dir, dentry);
}
