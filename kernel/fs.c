// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mode of a superblock, which keeps names that are not UTF-8 out of a file
 * system.
 *
 * Locking: the mode is a byte of the superblock. It is written before the
 * superblock is SB_BORN, and later only with s_umount held exclusively. Code
 * that creates a name reads the mode without a lock, once for each decision. A
 * name that is being created while the mode changes is judged by the old mode
 * or by the new one. The name itself is stable, because its directory is
 * locked. The directory of devpts is not locked, but nobody can rename there.
 */
#define pr_fmt(fmt) "utf8val: " fmt

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs_context.h>
#include <linux/fs_utf8val.h>
#include <linux/kdev_t.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/user_namespace.h>
#include <linux/utf8val.h>

/*
 * The most bytes that %*ph prints. Of a longer name, the bytes around the first
 * bad one are printed.
 */
#define SHOWN 64
#define SHOWN_BEFORE 16

static const char *const modes[] = {
	[UTF8VAL_UNSET] = "unset",
	[UTF8VAL_OFF] = "off",
	[UTF8VAL_AUDIT] = "audit",
	[UTF8VAL_ENFORCE] = "enforce",
};

/**
 * utf8val_new_super() - set the mode of a new superblock
 * @sb: the superblock, which is not SB_BORN yet
 * @fc: the context of its first mount
 *
 * Context: Nobody else writes the mode: sb_lock is held, or SB_BORN is about to
 * be set.
 */
void utf8val_new_super(struct super_block *sb, const struct fs_context *fc)
{
	WRITE_ONCE(sb->s_utf8val, fc->utf8val);
	ratelimit_state_init(&sb->s_utf8val_limit, DEFAULT_RATELIMIT_INTERVAL,
			     DEFAULT_RATELIMIT_BURST);
	/* log_name() prints the number of suppressed reports */
	ratelimit_set_flags(&sb->s_utf8val_limit, RATELIMIT_MSG_ON_RELEASE);
}

/*
 * Pass the mode of @sb to a submount, which uses it if its superblock is new.
 * Off is passed on as well: NFS searches for a superblock with the same mode.
 */
void utf8val_inherit(struct fs_context *fc, const struct super_block *sb)
{
	u8 mode = READ_ONCE(sb->s_utf8val);

	if (mode <= UTF8VAL_OFF || !(fc->fs_type->fs_flags & FS_NO_UTF8VAL))
		fc->utf8val = mode;
}

/**
 * utf8val_get_tree() - set the mode of a superblock that exists without one
 * @fc: the context of a mount, with fc->root
 *
 * A superblock that has a mode keeps it. A mode that is set here stays even if
 * the mount cannot be attached afterwards. fsmount(2) may attach the mount much
 * later, and until then the superblock has the mode of the mount.
 *
 * Context: s_umount is held exclusively.
 * Return: 0; -EBUSY if the superblock has another mode; -EPERM if the caller
 * lacks CAP_SYS_ADMIN in the user namespace of the superblock. The context's
 * log has the reason.
 */
int utf8val_get_tree(struct fs_context *fc)
{
	struct super_block *sb = fc->root->d_sb;
	bool given = fc->utf8val_given;

	/* The context may be used again, for a remount without the option. */
	fc->utf8val_given = false;
	if (!given || fc->utf8val == sb->s_utf8val)
		return 0;
	if (sb->s_utf8val != UTF8VAL_UNSET) {
		errorfc(fc, "mounted with utf8val=%s already; a remount can change that",
			modes[sb->s_utf8val]);
		return -EBUSY;
	}
	if (!ns_capable(sb->s_user_ns, CAP_SYS_ADMIN)) {
		errorfc(fc, "utf8val= needs CAP_SYS_ADMIN over this file system");
		return -EPERM;
	}
	WRITE_ONCE(sb->s_utf8val, fc->utf8val);
	return 0;
}

/*
 * Set the mode of a remount that the file system has carried out. The caller
 * holds s_umount exclusively.
 */
void utf8val_reconfigure(struct fs_context *fc)
{
	struct super_block *sb = fc->root->d_sb;
	u8 old = sb->s_utf8val;

	if (!fc->utf8val_given)
		return;
	fc->utf8val_given = false;
	WRITE_ONCE(sb->s_utf8val, fc->utf8val);
	if (fc->utf8val < old && sb->s_user_ns == &init_user_ns)
		pr_notice("lowered from %s to %s on %u:%u (%s) by pid %d, uid %u\n",
			  modes[old], modes[fc->utf8val], MAJOR(sb->s_dev),
			  MINOR(sb->s_dev), sb->s_type->name,
			  task_pid_nr(current),
			  from_kuid(&init_user_ns, current_uid()));
}

/**
 * utf8val_can_share() - may a mount share this superblock?
 * @sb: a superblock of the same source
 * @fc: the context of the mount
 *
 * The test function that a file system passes to sget_fc() calls this function
 * if one source can have several superblocks. A mount without a mode shares any
 * of them.
 *
 * Context: sb_lock is held.
 * Return: true if @sb has the mode of the mount, or if the mount has none.
 */
bool utf8val_can_share(const struct super_block *sb, const struct fs_context *fc)
{
	return READ_ONCE(sb->s_utf8val) == fc->utf8val ||
	       (!fc->utf8val_given && fc->utf8val == UTF8VAL_UNSET);
}
EXPORT_SYMBOL_GPL(utf8val_can_share);

/**
 * utf8val_may_skip_lookup() - may a file system take a name for new unseen?
 * @dir: the directory
 * @child: the dentry with the name
 *
 * A name that would be refused or reported has to be looked up: EEXIST comes
 * before EILSEQ, and a rename may replace an existing name.
 *
 * Context: Process context. The name of @child is stable. Does not sleep.
 * Return: true if no check needs to know whether the name exists.
 */
bool utf8val_may_skip_lookup(const struct inode *dir, const struct dentry *child)
{
	return READ_ONCE(dir->i_sb->s_utf8val) <= UTF8VAL_OFF ||
	       utf8val_valid(child->d_name.name, child->d_name.len);
}
EXPORT_SYMBOL_GPL(utf8val_may_skip_lookup);

/* Print the mode as a mount option, if it is above off. */
void utf8val_show(struct seq_file *m, const struct super_block *sb)
{
	u8 mode = READ_ONCE(sb->s_utf8val);

	if (mode > UTF8VAL_OFF)
		seq_printf(m, ",utf8val=%s", modes[mode]);
}

/*
 * Write a line to the kernel's log. A name can contain any byte, so only its
 * hexadecimal digits are printed.
 */
static void log_name(const struct inode *dir, const struct qstr *name,
		     bool refused, int suppressed)
{
	const struct utf8val_result bad = utf8val_check(name->name, name->len);
	const struct super_block *sb = dir->i_sb;
	char missing[32] = "";
	size_t from = 0;

	if (suppressed)
		scnprintf(missing, sizeof(missing), "; %d more like it",
			  suppressed);
	if (name->len > SHOWN && bad.valid > SHOWN_BEFORE)
		from = min_t(size_t, bad.valid - SHOWN_BEFORE,
			     name->len - SHOWN);
	pr_notice("%s a name in directory %llu on %u:%u (%s): %s at byte %zu of %u; from byte %zu: %*ph; pid %d, uid %u%s\n",
		  refused ? "refused" : "would refuse", (u64)dir->i_ino,
		  MAJOR(sb->s_dev), MINOR(sb->s_dev), sb->s_type->name,
		  utf8val_reason_name(bad.reason), bad.valid, name->len, from,
		  (int)min_t(size_t, name->len - from, SHOWN),
		  name->name + from, task_pid_nr(current),
		  from_kuid(&init_user_ns, current_fsuid()), missing);
}

/*
 * Write an audit record. The allocation does not sleep: the directory is
 * locked, and auditd, which empties the queue, may be waiting for that lock.
 */
static void audit_name(const struct inode *dir, const struct qstr *name,
		       bool refused)
{
	struct audit_buffer *ab;

	if (!audit_enabled)
		return;
	ab = audit_log_start(audit_context(), GFP_NOWAIT, AUDIT_ANOM_CREAT);
	if (!ab)
		return;
	/* the same beginning as in the records of audit_log_path_denied() */
	audit_log_format(ab, "op=utf8val");
	audit_log_task_info(ab);
	audit_log_format(ab, " res=%d dir_inode=%llu dir_dev=%02x:%02x name=",
			 !refused, (u64)dir->i_ino, MAJOR(dir->i_sb->s_dev),
			 MINOR(dir->i_sb->s_dev));
	audit_log_n_untrustedstring(ab, name->name, name->len);
	audit_log_end(ab);
}

/*
 * Report a name that is not UTF-8. Any user can cause reports, so each
 * superblock has its own limit: a flood on one superblock hides nothing on
 * another. Superblocks of other user namespaces have no reports, because any
 * user can create such a namespace and mount many superblocks in it.
 *
 * Suppressed reports are counted in the superblock, because the limit does not
 * count all of them everywhere. Before Linux 6.16 there is no
 * ratelimit_state_reset_miss(), and __ratelimit() does not count a report that
 * finds its lock taken.
 */
static void report(const struct inode *dir, const struct qstr *name,
		   bool refused)
{
	struct super_block *sb = dir->i_sb;

	if (sb->s_user_ns != &init_user_ns)
		return;
	if (!__ratelimit(&sb->s_utf8val_limit)) {
		atomic_inc(&sb->s_utf8val_suppressed);
		return;
	}
	log_name(dir, name, refused,
		 atomic_xchg(&sb->s_utf8val_suppressed, 0));
	audit_name(dir, name, refused);
}

/* utf8val_may_create() with the mode enforce */
int __utf8val_may_create(const struct inode *dir, const struct qstr *name)
{
	if (likely(utf8val_valid(name->name, name->len)))
		return 0;
	report(dir, name, true);
	return -EILSEQ;
}
EXPORT_SYMBOL_GPL(__utf8val_may_create);

/* Report a name if it is not UTF-8. The caller keeps the name from changing. */
void __utf8val_report(const struct inode *dir, const struct qstr *name,
		      bool refused)
{
	if (!utf8val_valid(name->name, name->len))
		report(dir, name, refused);
}
EXPORT_SYMBOL_GPL(__utf8val_report);

/* The mode that the value of utf8val= names, or -EINVAL, also for "unset" */
static int mode_of(const struct fs_parameter *param)
{
	int mode;

	if (param->type != fs_value_is_string)
		return -EINVAL;
	mode = match_string(modes, ARRAY_SIZE(modes), param->string);
	return mode == UTF8VAL_UNSET ? -EINVAL : mode;
}

/**
 * utf8val_parse_param() - parse the option utf8val=
 * @fc: the context of a mount or a remount
 * @param: an option
 *
 * The last value counts: mount(8) passes the options of fstab or mountinfo
 * before those of the command line.
 *
 * Return: 0; -ENOPARAM if @param is another option; -EPERM if init_user_ns will
 * own the superblock and the caller lacks CAP_SYS_ADMIN there; -EINVAL.
 */
int utf8val_parse_param(struct fs_context *fc, const struct fs_parameter *param)
{
	int mode;

	if (strcmp(param->key, "utf8val"))
		return -ENOPARAM;
	mode = mode_of(param);
	if (mode < 0)
		return invalfc(fc, "utf8val= needs one of off audit enforce");
	/* mount_root_generic() tries the next type after EINVAL only */
	if (mode > UTF8VAL_OFF && fc->fs_type->fs_flags & FS_NO_UTF8VAL)
		return invalfc(fc, "utf8val= is not for this type of file system");
	/*
	 * init_user_ns owns a global superblock, but mount_capable() requires
	 * CAP_SYS_ADMIN in fc->user_ns only.
	 */
	if (fc->global && !capable(CAP_SYS_ADMIN)) {
		errorfc(fc, "utf8val= needs CAP_SYS_ADMIN over this file system");
		return -EPERM;
	}
	fc->utf8val = mode;
	fc->utf8val_given = true;
	return 0;
}
