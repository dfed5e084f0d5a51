/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The functions of <linux/utf8val.h> against the oracle, on one string. selftest.c
 * includes this.
 */
#ifndef UTF8VAL_SELFTEST_DIFFERS_H
#define UTF8VAL_SELFTEST_DIFFERS_H

#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/utf8val.h>

#include "../../tests/oracle.h"

/* Returns: the name of a function whose answer is not the oracle's, or NULL */
static inline const char *utf8val_differs(const u8 *s, size_t len)
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

#endif /* UTF8VAL_SELFTEST_DIFFERS_H */
