/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * UTF-8 checks for file names and other strings; the functions of the core
 * (utf8val_check() and its kin) are declared in the header beside this one.
 */
#ifndef _LINUX_UTF8VAL_H
#define _LINUX_UTF8VAL_H

#include <linux/utf8val_core.h>

struct qstr;

int utf8val_check_name(const struct qstr *name);

#endif /* _LINUX_UTF8VAL_H */
