// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mount option utf8val=, which keeps names that are not UTF-8 out of a file
 * system.
 *
 * The mode is a byte of the superblock. It is written before the superblock is
 * visible to others, and later only with s_umount held exclusively. Those who
 * create a name read it once, without a lock: a name that is on its way when
 * the mode changes is judged by the old mode or by the new one.
 */
#define pr_fmt(fmt) "utf8val: " fmt

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs_context.h>
#include <linux/fs_parser.h>
#include <linux/fs_utf8val.h>
#include <linux/kdev_t.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/user_namespace.h>
#include <linux/utf8val.h>

/* What %*ph prints at most; of a longer name, the bytes near the bad ones */
#define SHOWN 64
#define SHOWN_BEFORE 16

static const char *const modes[] = {
	[UTF8VAL_UNSET] = "unset",
	[UTF8VAL_OFF] = "off",
	[UTF8VAL_AUDIT] = "audit",
	[UTF8VAL_ENFORCE] = "enforce",
};

/* The limit of one superblock's reports, allocated for the first one */
struct utf8val_log {
	struct ratelimit_state limit;
	atomic_t suppressed;	/* reports since the last one that was made */
};

/* A mode as a number from the text of an option; unset is no text that counts. */
static int mode_of(const struct fs_parameter *param)
{
	int mode;

	if (param->type != fs_value_is_string)
		return -EINVAL;
	mode = match_string(modes, ARRAY_SIZE(modes), param->string);
	return mode == UTF8VAL_UNSET ? -EINVAL : mode;
}

/**
 * utf8val_parse_param() - take the option utf8val=
 * @fc: the context of a mount or a remount
 * @param: an option
 *
 * The last value counts: mount(8) hands on the options of fstab or mountinfo
 * before those of the command line.
 *
 * Return: 0; -ENOPARAM when @param is another option; -EOPNOTSUPP when this type
 * of file system cannot have the mode; -EINVAL.
 */
int utf8val_parse_param(struct fs_context *fc, const struct fs_parameter *param)
{
	int mode;

	if (strcmp(param->key, "utf8val"))
		return -ENOPARAM;
	mode = mode_of(param);
	if (mode < 0)
		return invalfc(fc, "utf8val= needs one of off audit enforce");
	if (mode > UTF8VAL_OFF && fc->fs_type->fs_flags & FS_NO_UTF8VAL) {
		errorfc(fc, "utf8val= is not for this type of file system");
		return -EOPNOTSUPP;
	}
	fc->utf8val = mode;
	fc->utf8val_given = true;
	return 0;
}

/*
 * Give a superblock that no other mount can use yet the mode of its first one.
 * sget_fc() does so, and vfs_get_tree() for file systems that call sget().
 */
void utf8val_new_super(struct super_block *sb, const struct fs_context *fc)
{
	if (!(sb->s_flags & SB_BORN))
		WRITE_ONCE(sb->s_utf8val, fc->utf8val);
}

/*
 * Let a submount's superblock, if it is a new one, begin with the mode of @sb.
 * Off is taken over, too, so that utf8val_can_share() looks for a
 * superblock that is off.
 */
void utf8val_inherit(struct fs_context *fc, const struct super_block *sb)
{
	u8 mode = READ_ONCE(sb->s_utf8val);

	if (mode <= UTF8VAL_OFF || !(fc->fs_type->fs_flags & FS_NO_UTF8VAL))
		fc->utf8val = mode;
}

/**
 * utf8val_get_tree() - may a mount with this option use this superblock?
 * @fc: the context of a mount, which has its root
 *
 * A superblock that was there before the mount keeps its mode. If it has none,
 * utf8val_mounted() sets it later, when the mount can no longer fail.
 *
 * Context: s_umount is held exclusively.
 * Return: 0, or an error, of which the context's log says the reason.
 */
int utf8val_get_tree(struct fs_context *fc)
{
	const struct super_block *sb = fc->root->d_sb;

	if (!fc->utf8val_given || fc->utf8val == sb->s_utf8val)
		return 0;
	if (sb->s_utf8val == UTF8VAL_UNSET) {
		if (ns_capable(sb->s_user_ns, CAP_SYS_ADMIN))
			return 0;
		errorfc(fc, "utf8val= needs CAP_SYS_ADMIN over this file system");
		return -EPERM;
	}
	errorfc(fc, "mounted with utf8val=%s already; a remount can change that",
		modes[sb->s_utf8val]);
	return -EBUSY;
}

/**
 * utf8val_mounted() - give a superblock without a mode that of a new mount
 * @fc: the context of a mount that has succeeded
 *
 * Context: May sleep; takes s_umount.
 */
void utf8val_mounted(struct fs_context *fc)
{
	struct super_block *sb = fc->root->d_sb;

	if (!fc->utf8val_given)
		return;
	down_write(&sb->s_umount);
	if (sb->s_utf8val == UTF8VAL_UNSET)
		WRITE_ONCE(sb->s_utf8val, fc->utf8val);
	if (sb->s_utf8val != fc->utf8val)
		warnfc(fc, "utf8val=%s was set by another mount meanwhile",
		       modes[sb->s_utf8val]);
	up_write(&sb->s_umount);
}

/*
 * Set the mode that a remount asks for, which the file system has carried out.
 * s_umount is held exclusively.
 */
void utf8val_reconfigure(struct fs_context *fc)
{
	struct super_block *sb = fc->root->d_sb;
	u8 old = sb->s_utf8val;

	if (!fc->utf8val_given)
		return;
	WRITE_ONCE(sb->s_utf8val, fc->utf8val);
	if (fc->utf8val < old && sb->s_user_ns == &init_user_ns)
		pr_notice("lowered from %s to %s on %u:%u (%s) by pid %d, uid %u\n",
			  modes[old], modes[fc->utf8val], MAJOR(sb->s_dev),
			  MINOR(sb->s_dev), sb->s_type->name,
			  task_pid_nr(current),
			  from_kuid(&init_user_ns, current_uid()));
}

/*
 * May a mount share this superblock, for file systems that can have several of
 * one source? Whoever asks for nothing shares any. The caller holds sb_lock.
 */
bool utf8val_can_share(const struct super_block *sb, const struct fs_context *fc)
{
	return READ_ONCE(sb->s_utf8val) == fc->utf8val ||
	       (!fc->utf8val_given && fc->utf8val == UTF8VAL_UNSET);
}
EXPORT_SYMBOL_GPL(utf8val_can_share);

void utf8val_show(struct seq_file *m, const struct super_block *sb)
{
	u8 mode = READ_ONCE(sb->s_utf8val);

	if (mode > UTF8VAL_OFF)
		seq_printf(m, ",utf8val=%s", modes[mode]);
}

/* The superblock's limit; NULL when there is no memory for one. */
static struct utf8val_log *log_of(struct super_block *sb)
{
	struct utf8val_log *log = READ_ONCE(sb->s_utf8val_log), *old;

	if (log)
		return log;
	log = kzalloc(sizeof(*log), GFP_NOWAIT | __GFP_NOWARN);
	if (!log)
		return NULL;
	ratelimit_state_init(&log->limit, DEFAULT_RATELIMIT_INTERVAL,
			     DEFAULT_RATELIMIT_BURST);
	/* the next report has the number of those that are missing */
	ratelimit_set_flags(&log->limit, RATELIMIT_MSG_ON_RELEASE);
	old = cmpxchg(&sb->s_utf8val_log, NULL, log);
	if (!old)
		return log;
	kfree(log);
	return old;
}

/*
 * Write a line to the kernel's log. The name is hostile and is printed in
 * hexadecimal only.
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
		  from_kuid(&init_user_ns, current_uid()), missing);
}

/*
 * Write an audit record. The directory is locked, so this must not wait for the
 * reader of records, who may want to write into it.
 */
static void audit_name(const struct inode *dir, const struct qstr *name,
		       bool refused)
{
	struct audit_buffer *ab;

	if (!audit_enabled)
		return;
	ab = audit_log_start(audit_context(), GFP_ATOMIC | __GFP_NOWARN,
			     AUDIT_ANOM_CREAT);
	if (!ab)
		return;
	/* audit_log_path_denied() begins its records in the same way */
	audit_log_format(ab, "op=utf8val");
	audit_log_task_info(ab);
	audit_log_format(ab, " res=%d inode=%llu dev=%02x:%02x name=",
			 !refused, (u64)dir->i_ino, MAJOR(dir->i_sb->s_dev),
			 MINOR(dir->i_sb->s_dev));
	audit_log_n_untrustedstring(ab, name->name, name->len);
	audit_log_end(ab);
}

/*
 * Report a name. Any user can cause reports, and a record that cannot wait gets
 * no help from audit's backlog: too many of them lose those of others, or stop
 * a machine that is to stop when a record is lost. So they are limited, for
 * each superblock by itself: a flood on one hides nothing on another. On a
 * superblock of a container, its root decides about the mode, and could make as
 * many superblocks as he likes: nothing there is reported.
 */
static void report(const struct inode *dir, const struct qstr *name,
		   bool refused)
{
	struct utf8val_log *log;

	if (dir->i_sb->s_user_ns != &init_user_ns)
		return;
	log = log_of(dir->i_sb);
	if (!log)
		return;
	if (!__ratelimit(&log->limit)) {
		atomic_inc(&log->suppressed);
		return;
	}
	log_name(dir, name, refused, atomic_xchg(&log->suppressed, 0));
	audit_name(dir, name, refused);
}

/* utf8val_may_create() of a superblock with a mode, with @dir locked */
int __utf8val_may_create(const struct inode *dir, const struct qstr *name)
{
	bool refused = READ_ONCE(dir->i_sb->s_utf8val) == UTF8VAL_ENFORCE;

	if (likely(utf8val_valid(name->name, name->len)))
		return 0;
	report(dir, name, refused);
	return refused ? -EILSEQ : 0;
}
EXPORT_SYMBOL_GPL(__utf8val_may_create);

/* utf8val_may_open() of a superblock with a mode, with @dir locked */
int __utf8val_may_open(const struct inode *dir, const struct qstr *name)
{
	if (READ_ONCE(dir->i_sb->s_utf8val) != UTF8VAL_ENFORCE)
		return 0;
	return utf8val_check_name(name);
}

/*
 * utf8val_opened() of a superblock with a mode: report the name of an
 * open(O_CREAT) that was refused for it, or that has created it, with @dir still
 * locked.
 */
void __utf8val_opened(const struct inode *dir, const struct qstr *name,
		      const struct dentry *result, const struct file *file)
{
	bool enforce = READ_ONCE(dir->i_sb->s_utf8val) == UTF8VAL_ENFORCE;

	if (enforce ? result != ERR_PTR(-EILSEQ) :
	    IS_ERR(result) || !(file->f_mode & FMODE_CREATED))
		return;
	if (!utf8val_valid(name->name, name->len))
		report(dir, name, enforce);
}
