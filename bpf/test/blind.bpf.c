// SPDX-License-Identifier: GPL-2.0-only
/*
 * The guard's programs with a check that accepts every name. A test has start's
 * self-test find that out.
 */
#include "name.h"

static __always_inline bool no_entry_is_bad(const struct dentry *dentry)
{
	return false;
}

#define entry_is_bad no_entry_is_bad

#include "guard.bpf.c"
