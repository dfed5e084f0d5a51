// SPDX-License-Identifier: GPL-2.0-only
/* The files stats and mounts in /sys/kernel/security/utf8val/. */
#include <linux/init.h>
#include <linux/security.h>
#include <linux/seq_file.h>

#include "lsm.h"

static int stats_show(struct seq_file *m, void *unused)
{
	struct utf8val_stats sum;
	int op;

	utf8val_read_stats(&sum);
	seq_puts(m, "operation checked bad denied\n");
	for (op = 0; op < UTF8VAL_OPS; op++)
		seq_printf(m, "%s %llu %llu %llu\n", utf8val_op_name(op),
			   sum.checked[op], sum.bad[op], sum.denied[op]);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

static int mounts_show(struct seq_file *m, void *unused)
{
	utf8val_show_marked(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(mounts);

struct entry {
	const char *name;
	const struct file_operations *fops;
};

static const struct entry entries[] __initconst = {
	{ "stats", &stats_fops },
	{ "mounts", &mounts_fops },
};

static int __init utf8val_securityfs_init(void)
{
	struct dentry *files[ARRAY_SIZE(entries)];
	struct dentry *dir;
	size_t i;
	int err;

	if (!utf8val_started)
		return 0;
	dir = securityfs_create_dir("utf8val", NULL);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		files[i] = securityfs_create_file(entries[i].name, 0400, dir,
						  NULL, entries[i].fops);
		if (IS_ERR(files[i]))
			goto undo;
	}
	return 0;

undo:
	err = PTR_ERR(files[i]);
	while (i-- > 0)
		securityfs_remove(files[i]);
	securityfs_remove(dir);
	return err;
}
fs_initcall(utf8val_securityfs_init);
