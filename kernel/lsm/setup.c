// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) "utf8val: " fmt

#include <linux/init.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <uapi/linux/lsm.h>

#include "lsm.h"

static const struct lsm_id utf8val_lsm_id = {
	.name = "utf8val",
	.id = LSM_ID_UTF8VAL,
};

struct lsm_blob_sizes utf8val_blob_sizes __ro_after_init = {
	.lbs_superblock = sizeof(struct utf8val_sb),
	/* a pointer, see removed.c; as long on every machine, see struct utf8val_sb */
	.lbs_inode = sizeof(u64),
};

bool utf8val_started __ro_after_init;

static struct security_hook_list utf8val_hooks[] __ro_after_init = {
	LSM_HOOK_INIT(fs_context_submount, utf8val_fs_context_submount),
	LSM_HOOK_INIT(fs_context_dup, utf8val_fs_context_dup),
	LSM_HOOK_INIT(fs_context_parse_param, utf8val_fs_context_parse_param),
	LSM_HOOK_INIT(sb_alloc_security, utf8val_sb_alloc_security),
	LSM_HOOK_INIT(sb_free_security, utf8val_sb_free_security),
	LSM_HOOK_INIT(sb_eat_lsm_opts, utf8val_sb_eat_lsm_opts),
	LSM_HOOK_INIT(sb_mnt_opts_compat, utf8val_sb_mnt_opts_compat),
	LSM_HOOK_INIT(sb_remount, utf8val_sb_remount),
	LSM_HOOK_INIT(sb_remounted, utf8val_sb_remounted),
	LSM_HOOK_INIT(sb_show_options, utf8val_sb_show_options),
	LSM_HOOK_INIT(sb_set_mnt_opts, utf8val_sb_set_mnt_opts),
	LSM_HOOK_INIT(sb_clone_mnt_opts, utf8val_sb_clone_mnt_opts),
	LSM_HOOK_INIT(inode_create, utf8val_inode_create),
	LSM_HOOK_INIT(inode_link, utf8val_inode_link),
	LSM_HOOK_INIT(inode_symlink, utf8val_inode_symlink),
	LSM_HOOK_INIT(inode_mkdir, utf8val_inode_mkdir),
	LSM_HOOK_INIT(inode_mknod, utf8val_inode_mknod),
	LSM_HOOK_INIT(inode_rename, utf8val_inode_rename),
	LSM_HOOK_INIT(inode_unlink, utf8val_inode_unlink),
	LSM_HOOK_INIT(inode_rmdir, utf8val_inode_rmdir),
	LSM_HOOK_INIT(inode_free_security, utf8val_inode_free_security),
};

/*
 * Set the default mode from utf8val.default=MODE on the kernel's command line,
 * which is parsed before the first superblock exists.
 */
static int set_default(const char *value, const struct kernel_param *param)
{
	int mode = utf8val_parse_mode(value, strlen(value));

	if (mode < 0) {
		pr_err("utf8val.default= needs one of" UTF8VAL_MODE_WORDS "; it stays %s\n",
		       utf8val_mode_name(utf8val_default_mode));
		return mode;
	}
	utf8val_default_mode = mode;
	return 0;
}

static int get_default(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%s\n",
			  utf8val_mode_name(utf8val_default_mode));
}

static const struct kernel_param_ops default_ops = {
	.set = set_default,
	.get = get_default,
};

#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX "utf8val."
module_param_cb(default, &default_ops, NULL, 0444);

static int __init utf8val_init(void)
{
	security_add_hooks(utf8val_hooks, ARRAY_SIZE(utf8val_hooks),
			   &utf8val_lsm_id);
	utf8val_started = true;
	pr_info("mount option utf8val=" UTF8VAL_MODE_CHOICES ", default %s\n",
		utf8val_mode_name(utf8val_default_mode));
	return 0;
}

DEFINE_LSM(utf8val) = {
	.id = &utf8val_lsm_id,
	.init = utf8val_init,
	.blobs = &utf8val_blob_sizes,
};
