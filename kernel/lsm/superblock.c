// SPDX-License-Identifier: GPL-2.0-only
/*
 * A superblock's state, and who may change it. Every hook that changes it runs
 * with s_umount held exclusively.
 */
#define pr_fmt(fmt) "utf8val: " fmt

#include <linux/capability.h>
#include <linux/fs_context.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "lsm.h"

static void set_state(struct super_block *sb, enum utf8val_mode mode)
{
	struct utf8val_sb *state = utf8val_sb(sb);
	enum utf8val_mode old = state->mode;

	WRITE_ONCE(state->setting, mode);
	WRITE_ONCE(state->mode, mode);
	if (mode < old)
		utf8val_report_lowered(sb, old, mode);
}

/* A new blob is all zeros, so no option has been given yet. */
static int hook_sb_alloc_security(struct super_block *sb)
{
	struct utf8val_sb *state = utf8val_sb(sb);

	state->mode = UTF8VAL_MODE_OFF;
	ratelimit_state_init(&state->reports, DEFAULT_RATELIMIT_INTERVAL,
			     DEFAULT_RATELIMIT_BURST);
	return 0;
}

/*
 * A submount takes over the state of the superblock that it hangs off. Whoever
 * walks into it makes it, without any privilege: so only a new superblock takes
 * over a state, and only a stricter one than it has.
 */
static void inherit(struct super_block *sb, bool is_new, enum utf8val_mode from)
{
	if (is_new && from > utf8val_sb(sb)->mode)
		set_state(sb, from);
}

#define MISFIT(type, why) { #type, UTF8VAL_##why },
static const struct {
	const char *type, *why;
} misfits[] = {
	UTF8VAL_MISFIT_LIST(MISFIT)
};

/* Why the superblock can have no mode but off, in a sentence; NULL: it can. */
static const char *misfit(const struct super_block *sb)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(misfits); i++)
		if (!strcmp(sb->s_type->name, misfits[i].type))
			return misfits[i].why;
	return NULL;
}

/* Can the superblock have this mode? Returns: 0, or an error, which the host's log has. */
static int check_fit(const struct super_block *sb, enum utf8val_mode mode)
{
	const char *why = misfit(sb);

	if (!why || mode < UTF8VAL_MODE_AUDIT)
		return 0;
	if (utf8val_belongs_to_host(sb))
		pr_warn_ratelimited("%s: %s\n", sb->s_type->name, why);
	return -EOPNOTSUPP;
}

/*
 * Called for each mount, of a new superblock or of one that exists; some file
 * systems come here twice, once without options. A superblock that had no
 * option is marked by whoever may administer it, as its maker may, and as the
 * root of a container that it was merely handed to may not.
 */
static int hook_sb_set_mnt_opts(struct super_block *sb, void *mnt_opts,
				unsigned long kern_flags,
				unsigned long *set_kern_flags)
{
	const struct utf8val_mnt_opts *opts = mnt_opts;
	struct utf8val_sb *state = utf8val_sb(sb);
	bool is_new = !state->mounted;
	int err;

	state->mounted = true;
	if (!opts || opts->mode == state->setting)
		return 0;
	if (opts->inherited) {
		inherit(sb, is_new, opts->mode);
		return 0;
	}
	err = check_fit(sb, opts->mode);
	if (err)
		return err;
	if (state->setting != UTF8VAL_MODE_UNSET)
		return -EBUSY;
	if (!ns_capable(sb->s_user_ns, CAP_SYS_ADMIN))
		return -EPERM;
	set_state(sb, opts->mode);
	return 0;
}

/* Called before the file system sees a remount. */
static int hook_sb_remount(struct super_block *sb, void *mnt_opts)
{
	const struct utf8val_mnt_opts *opts = mnt_opts;

	return opts ? check_fit(sb, opts->mode) : 0;
}

/* Called after a remount that the file system has carried out, only. */
static void hook_sb_remounted(struct super_block *sb, void *mnt_opts)
{
	const struct utf8val_mnt_opts *opts = mnt_opts;

	if (opts)
		set_state(sb, opts->mode);
}

/*
 * May this mount share the superblock? Must not sleep, under sb_lock. NFS version 4 asks
 * with what it inherits on the way from the server's root, and only then gives the
 * superblock the option of the mount, so one of another mode must not be shared then, too.
 */
static int hook_sb_mnt_opts_compat(struct super_block *sb, void *mnt_opts)
{
	const struct utf8val_mnt_opts *opts = mnt_opts;

	return opts && opts->mode != READ_ONCE(utf8val_sb(sb)->mode);
}

static int hook_sb_clone_mnt_opts(const struct super_block *old,
				  struct super_block *new,
				  unsigned long kern_flags,
				  unsigned long *set_kern_flags)
{
	u8 from = READ_ONCE(utf8val_sb(old)->setting);

	if (from == UTF8VAL_MODE_UNSET)
		return 0;
	return hook_sb_set_mnt_opts(new, utf8val_inherited_opts(from), 0, NULL);
}

static int hook_fs_context_submount(struct fs_context *fc,
				    struct super_block *reference)
{
	u8 from = READ_ONCE(utf8val_sb(reference)->setting);

	if (from != UTF8VAL_MODE_UNSET)
		fc->security = utf8val_inherited_opts(from);
	return 0;
}

/* Show the mode; mount(8) passes the options shown here to a remount. */
static int hook_sb_show_options(struct seq_file *m, struct super_block *sb)
{
	u8 mode = READ_ONCE(utf8val_sb(sb)->mode);

	if (mode >= UTF8VAL_MODE_AUDIT)
		seq_printf(m, ",utf8val=%s", utf8val_mode_name(mode));
	return 0;
}

static struct security_hook_list hooks[] __ro_after_init = {
	LSM_HOOK_INIT(fs_context_submount, hook_fs_context_submount),
	LSM_HOOK_INIT(fs_context_dup, utf8val_fs_context_dup),
	LSM_HOOK_INIT(fs_context_parse_param, utf8val_fs_context_parse_param),
	LSM_HOOK_INIT(sb_alloc_security, hook_sb_alloc_security),
	LSM_HOOK_INIT(sb_eat_lsm_opts, utf8val_sb_eat_lsm_opts),
	LSM_HOOK_INIT(sb_mnt_opts_compat, hook_sb_mnt_opts_compat),
	LSM_HOOK_INIT(sb_remount, hook_sb_remount),
	LSM_HOOK_INIT(sb_remounted, hook_sb_remounted),
	LSM_HOOK_INIT(sb_show_options, hook_sb_show_options),
	LSM_HOOK_INIT(sb_set_mnt_opts, hook_sb_set_mnt_opts),
	LSM_HOOK_INIT(sb_clone_mnt_opts, hook_sb_clone_mnt_opts),
};

void __init utf8val_add_superblock_hooks(void)
{
	utf8val_add_hooks(hooks, ARRAY_SIZE(hooks));
}
