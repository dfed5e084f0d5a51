// SPDX-License-Identifier: GPL-2.0-only
/*
 * A superblock's state, and who may change it. Every hook that changes it runs
 * with s_umount held exclusively.
 */
#include <linux/capability.h>
#include <linux/fs_context.h>
#include <linux/seq_file.h>

#include "lsm.h"

/* For superblocks that say nothing; set while booting, if at all. */
u8 utf8val_default_mode __ro_after_init = UTF8VAL_MODE_OFF;

static void set_state(struct super_block *sb, enum utf8val_mode mode)
{
	struct utf8val_sb *state = utf8val_sb(sb);
	enum utf8val_mode old = state->mode;

	WRITE_ONCE(state->setting, mode);
	WRITE_ONCE(state->mode, mode);
	if (mode < old)
		utf8val_report_lowered(sb, old, mode);
}

int utf8val_sb_alloc_security(struct super_block *sb)
{
	utf8val_sb(sb)->mode = utf8val_default_mode;
	utf8val_sb(sb)->setting = UTF8VAL_MODE_UNSET;
	return 0;
}

/*
 * A mount, of a new superblock or of one that exists. Some file systems come
 * here twice, once without options.
 *
 * An option marks a superblock that had none if the task may administer it:
 * whoever made it may, a container's root may not mark one that it was merely
 * handed. A submount's option comes from the superblock above it, whoever
 * happens to walk into it.
 */
int utf8val_sb_set_mnt_opts(struct super_block *sb, void *mnt_opts,
			    unsigned long kern_flags,
			    unsigned long *set_kern_flags)
{
	const struct utf8val_mnt_opts *opts = utf8val_opts(mnt_opts);
	u8 setting = utf8val_sb(sb)->setting;

	if (!opts || opts->mode == setting)
		return 0;
	if (setting != UTF8VAL_MODE_UNSET)
		return -EBUSY;
	if (!opts->inherited && !ns_capable(sb->s_user_ns, CAP_SYS_ADMIN))
		return -EPERM;
	set_state(sb, opts->mode);
	return 0;
}

/*
 * Called before the file system's own reconfiguration; should that fail, the
 * new state stays.
 */
int utf8val_sb_remount(struct super_block *sb, void *mnt_opts)
{
	const struct utf8val_mnt_opts *opts = utf8val_opts(mnt_opts);

	if (opts)
		set_state(sb, opts->mode);
	return 0;
}

/* May this mount share the superblock? Under sb_lock: must not sleep. */
int utf8val_sb_mnt_opts_compat(struct super_block *sb, void *mnt_opts)
{
	const struct utf8val_mnt_opts *opts = utf8val_opts(mnt_opts);

	return opts && opts->mode != READ_ONCE(utf8val_sb(sb)->setting);
}

int utf8val_sb_clone_mnt_opts(const struct super_block *old,
			      struct super_block *new,
			      unsigned long kern_flags,
			      unsigned long *set_kern_flags)
{
	u8 from = READ_ONCE(utf8val_sb(old)->setting);

	if (from == UTF8VAL_MODE_UNSET)
		return 0;
	return utf8val_sb_set_mnt_opts(new, utf8val_inherited_opts(from), 0,
				       NULL);
}

int utf8val_fs_context_submount(struct fs_context *fc,
				struct super_block *reference)
{
	u8 from = READ_ONCE(utf8val_sb(reference)->setting);

	if (from != UTF8VAL_MODE_UNSET && !fc->security)
		fc->security = utf8val_inherited_opts(from);
	return 0;
}

/*
 * What stands here is fed back at the next remount: a state that comes from
 * utf8val.default= is left out where the option would be refused.
 */
int utf8val_sb_show_options(struct seq_file *m, struct super_block *sb)
{
	u8 mode = READ_ONCE(utf8val_sb(sb)->mode);

	if (mode >= UTF8VAL_MODE_AUDIT && utf8val_option_usable())
		seq_printf(m, ",utf8val=%s", utf8val_mode_name(mode));
	return 0;
}
