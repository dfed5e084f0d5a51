// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The vectors as a module, for kernels without KUnit. This module calls nothing
 * of utf8val but what utf8val.ko exports. Loading the module fails when a vector
 * does; the counts are in /sys/module/utf8val_selftest/parameters/.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/utf8val.h>

#include "../../tests/oracle.h"
#include "../../tests/vectors.h"

static unsigned int vectors, failed;
module_param(vectors, uint, 0444);
module_param(failed, uint, 0444);

/* Returns: the name of a function whose answer is not the oracle's, or NULL. */
static const char *differs(const u8 *s, size_t len)
{
	const struct utf8val_result want = oracle_check(s, len);
	const struct utf8val_result got = utf8val_check(s, len);
	const bool good = want.reason == UTF8VAL_OK;
	const struct qstr name = QSTR_INIT(s, len);

	if (got.valid != want.valid || got.bad != want.bad ||
	    got.reason != want.reason)
		return "utf8val_check";
	if (utf8val_valid(s, len) != good)
		return "utf8val_valid";
	if (utf8val_check_name(&name) != (good ? 0 : -EILSEQ))
		return "utf8val_check_name";
	return NULL;
}

static int __init selftest_init(void)
{
	for (; vectors < utf8val_vector_count; vectors++) {
		const struct utf8val_vector *vector = &utf8val_vectors[vectors];
		struct utf8val_result got = utf8val_check(vector->bytes,
							  vector->len);
		const char *function = differs(vector->bytes, vector->len);

		if (!function && got.valid == vector->valid &&
		    got.bad == vector->bad && got.reason == vector->reason)
			continue;
		failed++;
		pr_err("%s: %s, %s\n", vector->name,
		       function ?: "utf8val_check",
		       utf8val_reason_name(got.reason));
	}
	pr_info("%u vectors, %u failed\n", vectors, failed);
	return failed || !vectors ? -EINVAL : 0;
}
module_init(selftest_init);

static void __exit selftest_exit(void)
{
}
module_exit(selftest_exit);

MODULE_DESCRIPTION("Checks of utf8val, through its exports");
MODULE_LICENSE("Dual MIT/GPL");
