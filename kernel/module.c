// SPDX-License-Identifier: GPL-2.0-only
/*
 * utf8val for the kernel: what it exports.
 */
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/utf8val.h>

/**
 * utf8val_check_name() - is this file name well-formed UTF-8?
 * @name: the name; only its len counts, no terminating NUL is looked for
 *
 * RFC 3629 is the rule: normalisation, unassigned code points and
 * noncharacters are not looked at. utf8val_check() tells where and why a name
 * fails.
 *
 * Context: Any context. Takes no locks and allocates nothing; the caller sees
 * to it that the name does not change meanwhile (for a dentry's d_name: the
 * parent's i_rwsem or the dentry's d_lock is held).
 * Return: 0, or -EILSEQ when it is not.
 */
int utf8val_check_name(const struct qstr *name)
{
	return utf8val_valid(name->name, name->len) ? 0 : -EILSEQ;
}
EXPORT_SYMBOL_GPL(utf8val_check_name);

EXPORT_SYMBOL_GPL(utf8val_valid);
EXPORT_SYMBOL_GPL(utf8val_prefix);
EXPORT_SYMBOL_GPL(utf8val_check);
EXPORT_SYMBOL_GPL(utf8val_reason_name);
EXPORT_SYMBOL_GPL(utf8val_stream_init);
EXPORT_SYMBOL_GPL(utf8val_stream_feed);
EXPORT_SYMBOL_GPL(utf8val_stream_finish);
EXPORT_SYMBOL_GPL(utf8val_next);
EXPORT_SYMBOL_GPL(utf8val_prev);
EXPORT_SYMBOL_GPL(utf8val_encode);
EXPORT_SYMBOL_GPL(utf8val_count);
EXPORT_SYMBOL_GPL(utf8val_floor);
EXPORT_SYMBOL_GPL(utf8val_replace);
EXPORT_SYMBOL_GPL(utf8val_step);
EXPORT_SYMBOL_GPL(utf8val_feed);

MODULE_DESCRIPTION("UTF-8 checks for file names");
MODULE_VERSION(UTF8VAL_VERSION);
MODULE_LICENSE("GPL");
