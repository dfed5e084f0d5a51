/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What by_cbmc.py asks of bpf/kernel/name.h: is a name bad exactly when next_state() byte by
 * byte does not accept it?
 *
 * Short names are asked about as they are. Of longer ones, which go by pieces:
 * kernel_piece() makes of the state before piece i the state after it, for each i and
 * each length, and reads nothing but that piece; after a last piece of less than 64 bytes
 * that state is the verdict, accepting or rejected. And name_is_bad() is right as a whole
 * for names of up to three pieces.
 *
 * What the kernel offers to a program is a model here. The asm, which holds compilers
 * back and tells the verifier that a length of at most 64 is less than 128, does nothing.
 */
#include <stdbool.h>
#include <linux/types.h>

#define UTF8VAL_GUARD_KERNEL_TYPES_H
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

void *malloc(__SIZE_TYPE__);

static long bpf_probe_read_kernel(void *to, __u32 len, const void *from);
static long bpf_loop(__u32 times, void *call, void *with, __u64 flags);

#include "bpf/kernel/name.h"

#define PIECES 3
#define REACHED "an input that the contract allows returns"

/* Of any value, as nothing defines them: the name's length, and what is read of it. */
extern __u32 text_len;
extern __u8 piece[PIECE];
extern __u8 whole[PIECES * PIECE];

static const unsigned char *text;
static bool from_whole, failed;

static long bpf_probe_read_kernel(void *to, __u32 len, const void *from)
{
	__u64 at = (const unsigned char *)from - text;
	bool fails;
	__u32 i;

	__CPROVER_assert(at <= text_len && len <= text_len - at, "inside the name");
	if (fails) {
		failed = true;
		return -1;
	}
	for (i = 0; i < PIECE; i++)
		if (i < len)
			((__u8 *)to)[i] = from_whole ? whole[at + i] : piece[i];
	return 0;
}

static long bpf_loop(__u32 times, void *call, void *with, __u64 flags)
{
	__u32 i;

	__CPROVER_assert((__u64)times * PIECE >= GUARD_LONGEST_NAME, "rounds enough");
	for (i = 0; i < times && i <= PIECES; i++)
		if (kernel_piece(i, with))
			return i + 1;
	__CPROVER_assert(i == times, "more pieces than are looked at");
	return times;
}

static __u32 step_by_step(const __u8 *bytes, __u32 most, __u32 len, __u32 state)
{
	__u32 i;

	for (i = 0; i < most; i++)
		if (i < len)
			state = next_state(state, bytes[i]);
	return state;
}

/* Any state that the automaton has: three bytes lead to each. */
static __u32 any_state(void)
{
	__u8 a, b, c;

	return next_state(next_state(next_state(UTF8VAL_ACCEPT, a), b), c);
}

void prove_short_is_bad(void)
{
	__u64 words[SHORT_WORDS];
	__u32 len;
	bool bad;

	__CPROVER_assume(len < SHORT_WORDS * 8);
	bad = short_is_bad(words, len);
	__CPROVER_assert(bad == (step_by_step((const __u8 *)words, SHORT_WORDS * 8,
						 len, UTF8VAL_ACCEPT)
				 != UTF8VAL_ACCEPT), "bad when it is not accepted");
	__CPROVER_assert(0, REACHED);
}

void prove_kernel_piece(void)
{
	struct name name;
	__u32 i, before;
	__u64 at;
	long stops;

	__CPROVER_assume(text_len && text_len <= GUARD_LONGEST_NAME);
	text = malloc(text_len);
	__CPROVER_assume(text);
	__CPROVER_assume(i < GUARD_LONGEST_NAME / PIECE);
	before = any_state();
	name.from = text;
	name.len = text_len;
	name.state = before;
	at = (__u64)i * PIECE;
	stops = kernel_piece(i, &name);
	if (failed)
		__CPROVER_assert(stops && name.state == UTF8VAL_REJECT, "not readable");
	else if (at >= text_len)
		__CPROVER_assert(stops && name.state == before, "behind the end");
	else if (text_len - at >= PIECE)
		__CPROVER_assert(name.state == step_by_step(piece, PIECE, PIECE, before),
				 "the state after it");
	else
		__CPROVER_assert(name.state ==
				 (step_by_step(piece, PIECE, text_len - at, before)
				  == UTF8VAL_ACCEPT ? UTF8VAL_ACCEPT : UTF8VAL_REJECT),
				 "the verdict after the last");
	__CPROVER_assert(!stops || at >= text_len || name.state == UTF8VAL_REJECT,
			 "stops at the end, or for good");
	__CPROVER_assert(next_state(UTF8VAL_REJECT, piece[0]) == UTF8VAL_REJECT,
			 "what is rejected remains so");
	__CPROVER_assert(0, REACHED);
}

void prove_name_is_bad(void)
{
	bool bad;

	__CPROVER_assume(text_len && text_len <= PIECES * PIECE);
	text = malloc(text_len);
	__CPROVER_assume(text);
	from_whole = true;
	bad = name_is_bad(text, text_len);
	__CPROVER_assert(bad == (failed || step_by_step(whole, PIECES * PIECE, text_len,
							UTF8VAL_ACCEPT)
				 != UTF8VAL_ACCEPT), "bad when it is not accepted");
	__CPROVER_assert(0, REACHED);
}
