/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels this builds in, 6.1 to 7.3; the one place
 * where their version is looked at.
 */
#ifndef UTF8VAL_COMPAT_H
#define UTF8VAL_COMPAT_H

#include <linux/lsm_hooks.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 4, 0)
#pragma message("utf8val was never tried on a kernel newer than 7.3")
#endif

/*
 * Since 6.8 a security module has a number beside its name; the patch to
 * security.c that shares out mount options defines it.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
#include <uapi/linux/lsm.h>

static const struct lsm_id utf8val_lsm_id __maybe_unused = {
	.name = "utf8val",
	.id = LSM_ID_UTF8VAL,
};

#define UTF8VAL_LSM_ID (&utf8val_lsm_id)
#else
#define UTF8VAL_LSM_ID "utf8val"
#endif

/* How DEFINE_LSM() is told who it is for. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
#define UTF8VAL_LSM_NAME .id = UTF8VAL_LSM_ID
#else
#define UTF8VAL_LSM_NAME .name = "utf8val"
#endif

/* How the hooks are told of a mount's mapping of users. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define UTF8VAL_IDMAP struct mnt_idmap
#else
#define UTF8VAL_IDMAP struct user_namespace
#endif

/*
 * What the hooks for extended attributes return for another module's attribute.
 * Before 6.10.3 the last module's answer also decides whether the kernel makes its
 * own check of capabilities (1: yes). Where we are alone, ask for it; otherwise
 * another module has decided, and 0 leaves it at that.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 3)
#define UTF8VAL_SETXATTR_OF_OTHERS 0
#define UTF8VAL_REMOVEXATTR_OF_OTHERS 0
#else
#define UTF8VAL_ALONE(hook) (!security_hook_heads.hook.first->next)
#define UTF8VAL_SETXATTR_OF_OTHERS UTF8VAL_ALONE(inode_setxattr)
#define UTF8VAL_REMOVEXATTR_OF_OTHERS UTF8VAL_ALONE(inode_removexattr)
#endif

/* Since 6.18 what generates a KUnit test's parameters is told of the test. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0)
#define UTF8VAL_NEXT_PARAM(name) \
	name(struct kunit *test, const void *prev, char *desc)
#else
#define UTF8VAL_NEXT_PARAM(name) \
	name(const void *prev, char *desc)
#endif

#endif /* UTF8VAL_COMPAT_H */
