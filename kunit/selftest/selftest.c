// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The shared checks as a module, for kernels without KUnit. This module calls
 * nothing of utf8val but what utf8val.ko exports. Loading the module fails when
 * a check does; the counts are in /sys/module/utf8val_selftest/parameters/.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dcache.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/utf8val.h>

#include "../../tests/checks.h"

static unsigned int vectors, cases, failed;
module_param(vectors, uint, 0444);
module_param(cases, uint, 0444);
module_param(failed, uint, 0444);

static void count(bool passed, const char *name,
		  const struct utf8val_failure *failure)
{
	if (passed)
		return;
	failed++;
	pr_err("%s: %s at %zu: want %lu, got %lu\n", name, failure->what,
	       failure->at, failure->want, failure->got);
}

static int __init selftest_init(void)
{
	u8 *scratch = kmalloc(UTF8VAL_SCRATCH, GFP_KERNEL);
	struct utf8val_failure failure = {};
	size_t i;

	if (!scratch)
		return -ENOMEM;
	for (i = 0; i < utf8val_vector_count; i++) {
		const struct utf8val_vector *vector = &utf8val_vectors[i];
		struct qstr name = QSTR_INIT(vector->bytes, vector->len);
		int want = vector->reason == UTF8VAL_OK ? 0 : -EILSEQ;

		vectors++;
		count(utf8val_check_vector(vector, scratch, &failure),
		      vector->name, &failure);
		if (utf8val_check_name(&name) != want) {
			failed++;
			pr_err("%s: utf8val_check_name()\n", vector->name);
		}
	}
	for (i = 0; i < utf8val_case_count; i++) {
		cases++;
		count(utf8val_cases[i].run(scratch, &failure),
		      utf8val_cases[i].name, &failure);
	}
	kfree(scratch);
	pr_info("%u vectors, %u cases, %u failed\n", vectors, cases, failed);
	if (failed || !vectors || !cases)
		return -EINVAL;
	return 0;
}
module_init(selftest_init);

static void __exit selftest_exit(void)
{
}
module_exit(selftest_exit);

MODULE_DESCRIPTION("Checks of utf8val, through its exports");
MODULE_LICENSE("Dual MIT/GPL");
