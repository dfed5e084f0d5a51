// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions that utf8val.ko exports. A kernel with utf8val built in does not
 * export them, because none of its modules calls them.
 */
#include <linux/module.h>
#include <linux/utf8val.h>

EXPORT_SYMBOL_GPL(utf8val_valid);
EXPORT_SYMBOL_GPL(utf8val_check);
EXPORT_SYMBOL_GPL(utf8val_reason_name);

MODULE_DESCRIPTION("UTF-8 checks for file names");
MODULE_VERSION("0.4.0");
MODULE_LICENSE("GPL");
