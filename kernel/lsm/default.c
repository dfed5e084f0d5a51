// SPDX-License-Identifier: GPL-2.0-only
/* utf8val.default=: the mode of superblocks without an option. */
#define pr_fmt(fmt) "utf8val: " fmt

#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "lsm.h"

u8 utf8val_default_mode __ro_after_init = UTF8VAL_MODE_OFF;

/*
 * The kernel's command line is parsed before the first superblock exists, and
 * the parameter cannot be written later.
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
