// SPDX-License-Identifier: GPL-2.0-only
/* The start, and the file in /sys/kernel/security/utf8val/. */
#define pr_fmt(fmt) "utf8val: " fmt

#include <linux/init.h>
#include <linux/printk.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <uapi/linux/lsm.h>

#include "lsm.h"

static const struct lsm_id utf8val_lsm_id = {
	.name = "utf8val",
	.id = LSM_ID_UTF8VAL,
};

struct lsm_blob_sizes utf8val_blob_sizes __ro_after_init = {
	.lbs_superblock = sizeof(struct utf8val_sb),
};

/* Has the kernel's command line not left out this module? */
static bool started __initdata;

void __init utf8val_add_hooks(struct security_hook_list *hooks, int count)
{
	security_add_hooks(hooks, count, &utf8val_lsm_id);
}

static int __init utf8val_init(void)
{
	utf8val_add_superblock_hooks();
	utf8val_add_name_hooks();
	started = true;
	pr_info("mount option utf8val=" UTF8VAL_MODE_CHOICES "\n");
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
		seq_printf(m, "%s %llu %llu %llu\n", utf8val_op_names[op],
			   utf8val_sum(UTF8VAL_CHECKED, op),
			   utf8val_sum(UTF8VAL_BAD, op),
			   utf8val_sum(UTF8VAL_DENIED, op));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

static int __init utf8val_securityfs_init(void)
{
	struct dentry *dir;

	if (!started)
		return 0;
	dir = securityfs_create_dir("utf8val", NULL);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	return PTR_ERR_OR_ZERO(securityfs_create_file("stats", 0400, dir, NULL,
						      &stats_fops));
}
fs_initcall(utf8val_securityfs_init);
