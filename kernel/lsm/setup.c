// SPDX-License-Identifier: GPL-2.0-only
/* The start, utf8val.default=, and the files in /sys/kernel/security/utf8val/. */
#define pr_fmt(fmt) "utf8val: " fmt

#include <linux/init.h>
#include <linux/moduleparam.h>
#include <linux/security.h>
#include <linux/seq_file.h>
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

/* Has the kernel's command line not left out this module? */
static bool started __initdata;

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

void __init utf8val_add_hooks(struct security_hook_list *hooks, int count)
{
	security_add_hooks(hooks, count, &utf8val_lsm_id);
}

static int __init utf8val_init(void)
{
	utf8val_add_superblock_hooks();
	utf8val_add_name_hooks();
	started = true;
	pr_info("mount option utf8val=" UTF8VAL_MODE_CHOICES ", default %s\n",
		utf8val_mode_name(utf8val_default_mode));
	return 0;
}

DEFINE_LSM(utf8val) = {
	.id = &utf8val_lsm_id,
	.init = utf8val_init,
	.blobs = &utf8val_blob_sizes,
};

static int stats_show(struct seq_file *m, void *unused)
{
	int op;

	seq_puts(m, "operation checked bad denied\n");
	for (op = 0; op < UTF8VAL_OPS; op++)
		seq_printf(m, "%s %llu %llu %llu\n", utf8val_op_name(op),
			   utf8val_sum(UTF8VAL_CHECKED, op),
			   utf8val_sum(UTF8VAL_BAD, op),
			   utf8val_sum(UTF8VAL_DENIED, op));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

static int mounts_show(struct seq_file *m, void *unused)
{
	utf8val_show_marked(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(mounts);

static int __init utf8val_securityfs_init(void)
{
	struct dentry *dir;

	if (!started)
		return 0;
	dir = securityfs_create_dir("utf8val", NULL);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	/* without memory for it, a file is missing */
	securityfs_create_file("stats", 0400, dir, NULL, &stats_fops);
	securityfs_create_file("mounts", 0400, dir, NULL, &mounts_fops);
	return 0;
}
fs_initcall(utf8val_securityfs_init);
