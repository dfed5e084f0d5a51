/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * security.utf8val on directories. attribute.c calls options.c alone; the
 * parts that stand below options.c in lsm.h call attribute.c.
 */
#ifndef UTF8VAL_ATTRIBUTE_H
#define UTF8VAL_ATTRIBUTE_H

#include "lsm.h"

int utf8val_root_mode(const struct super_block *sb);
bool utf8val_is_exempt(const struct dentry *entry);
void utf8val_add_attribute_hooks(void);

#endif /* UTF8VAL_ATTRIBUTE_H */
