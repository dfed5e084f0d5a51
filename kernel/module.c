// SPDX-License-Identifier: GPL-2.0-only
/* The check of a name in the form in which dentries hold it. */
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/utf8val.h>

/**
 * utf8val_check_name() - is this file name well-formed UTF-8?
 * @name: the name; only its len counts, no terminating NUL is looked for
 *
 * Context: Any context. The caller sees to it that the name does not change
 * meanwhile (for a dentry's d_name: the parent's i_rwsem or the dentry's d_lock
 * is held).
 * Return: 0, or -EILSEQ when the name is ill-formed.
 */
int utf8val_check_name(const struct qstr *name)
{
	return utf8val_valid(name->name, name->len) ? 0 : -EILSEQ;
}
