/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels this builds in, 6.1 to 6.12; the one place
 * where their version is looked at.
 */
#ifndef UTF8VAL_COMPAT_H
#define UTF8VAL_COMPAT_H

#include <linux/lsm_hooks.h>
#include <linux/version.h>

/*
 * Since 6.8 a security module has a number beside its name. None is set aside
 * for modules outside the mainline kernel; the name's bytes serve as one.
 */
#define UTF8VAL_LSM_ID 0x75746638766c61ULL /* "utf8val" */

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
static inline void __init utf8val_add_hooks(struct security_hook_list *hooks,
					    int count)
{
	static const struct lsm_id id = {
		.name = "utf8val",
		.id = UTF8VAL_LSM_ID,
	};

	security_add_hooks(hooks, count, &id);
}
#else
static inline void __init utf8val_add_hooks(struct security_hook_list *hooks,
					    int count)
{
	security_add_hooks(hooks, count, "utf8val");
}
#endif

#endif /* UTF8VAL_COMPAT_H */
