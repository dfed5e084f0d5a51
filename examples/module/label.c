// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A module outside of the kernel's tree that uses utf8val. A volume's label, here a
 * parameter, is accepted if the label is UTF-8. The label is cut to the disk's space
 * for it. docs/module.md describes it.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/utf8val.h>

#define LABEL_SIZE 16

/* filled up with NUL, as on a disk; the parameters' lock is held */
static char label[LABEL_SIZE];

static int set_label(const char *text, const struct kernel_param *param)
{
	size_t len = strcspn(text, "\n");
	struct utf8val_result r = utf8val_check(text, len);

	if (r.reason != UTF8VAL_OK) {
		pr_notice_ratelimited("label: %s at byte %zu: %*ph\n",
				      utf8val_reason_name(r.reason), r.valid,
				      (int)min_t(size_t, len, 64), text);
		return -EILSEQ;
	}
	len = utf8val_check(text, min(len, sizeof(label))).valid;
	memcpy(label, text, len);
	memset(label + len, 0, sizeof(label) - len);
	return 0;
}

static int get_label(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%.*s\n", LABEL_SIZE, label);
}

static const struct kernel_param_ops label_ops = {
	.set = set_label,
	.get = get_label,
};

module_param_cb(label, &label_ops, NULL, 0644);
MODULE_PARM_DESC(label, "the volume's label, UTF-8");
MODULE_DESCRIPTION("Example of a module that uses utf8val");
MODULE_LICENSE("Dual MIT/GPL");
