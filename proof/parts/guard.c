/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What by_cbmc.py asks of bpf/name.h: is a short name bad exactly when next_state()
 * byte by byte does not accept it? Longer ones go by pieces, which is not asked.
 *
 * What the kernel offers to a program is a model here. An empty asm does nothing.
 */
#include <stdbool.h>
#include <linux/types.h>

#define UTF8VAL_GUARD_KERNEL_H
#define __always_inline inline
#define __noinline
#define asm
#define volatile(...)

#define DNAME 40

struct qstr {
	__u32 len;
	const unsigned char *name;
};

struct dentry {
	struct qstr d_name;
	unsigned char d_iname[DNAME];
};

struct dentry___shortname {
	struct {
		unsigned char words[DNAME];
	} d_shortname;
};

#define bpf_core_field_exists(field) 0

/* Nothing here calls what reads longer names. */
static long bpf_probe_read_kernel(void *to, __u32 len, const void *from)
{
	__CPROVER_assert(0, "not called");
	return len;
}

static long bpf_loop(__u32 times, void *call, void *with, __u64 flags)
{
	__CPROVER_assert(0, "not called");
	return times;
}

#include "bpf/name.h"

static __u32 step_by_step(const __u8 *bytes, __u32 len, __u32 state)
{
	__u32 i;

	for (i = 0; i < PIECE; i++)
		if (i < len)
			state = next_state(state, bytes[i]);
	return state;
}

void prove_short_is_bad(void)
{
	__u64 words[SHORT_WORDS];
	__u32 len;
	bool bad;

	__CPROVER_assume(len < SHORT_WORDS * 8);
	bad = short_is_bad(words, len);
	__CPROVER_assert(bad == (step_by_step((const __u8 *)words, len, UTF8VAL_ACCEPT)
				 != UTF8VAL_ACCEPT), "bad when it is not accepted");
	__CPROVER_assert(0, "an input that the contract allows returns");
}
