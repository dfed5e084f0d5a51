/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a name well-formed? The core's own transition function decides, a byte at
 * a time. All else here is for speed: eight bytes of ASCII leave the automaton
 * where it is, so they are passed over at once.
 */
#ifndef UTF8VAL_GUARD_NAME_H
#define UTF8VAL_GUARD_NAME_H

#include "core.h"
#include "bpf/shared/guard_maps.h"
#include "kernel_types.h"

#define PIECE 64
#define NOT_ASCII 0x8080808080808080ull

/* words of a short name that a dentry holds, in every version of Linux */
#define SHORT_WORDS 4

struct name {
	const unsigned char *from;
	__u32 len;
	__u32 state;
	union {
		__u64 words[PIECE / 8];
		__u8 bytes[PIECE];
	};
};

/*
 * The value is UTF8VAL_ACCEPT, but the verifier must not know that: on Linux
 * 6.1 it looks at a loop's function once, with the values of the first call.
 */
volatile __u32 start_state;

/* The first @left bytes of a word, with zeros after them; from 8 on, all. */
static __always_inline __u64 first_bytes(__u64 word, __u32 left)
{
	if (left >= 8)
		return word;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return word & ((1ull << left * 8) - 1);
#else
	return word & ~(~0ull >> left * 8);
#endif
}

/*
 * Walk from a state over the eight bytes of a word. The function is not static,
 * so that the verifier looks at it once, for any arguments, and takes its
 * result for any number. As a static function it was looked at on each way to
 * each byte of a name, which was twenty times as much in all.
 */
__noinline __u32 guard_walk_word(__u32 state, __u64 word)
{
	__u32 i;

#pragma clang loop unroll(disable)
	for (i = 0; i < 8; i++) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		state = next_state(state, word & 0xFF);
		word >>= 8;
#else
		state = next_state(state, word >> 56);
		word <<= 8;
#endif
	}
	return state;
}

/*
 * Walk from a state over @count words. Zeros that fill up the last word do not
 * change the verdict: a NUL is a character, and continues none.
 */
static __always_inline __u32 walk(const __u64 *words, __u32 count, __u32 state)
{
	__u64 all = 0;
	__u32 i;

#pragma unroll
	for (i = 0; i < count; i++)
		all |= words[i];
	if (!(all & NOT_ASCII) && state == UTF8VAL_ACCEPT)
		return state;
#pragma unroll
	for (i = 0; i < count; i++)
		if (state != UTF8VAL_ACCEPT || words[i] & NOT_ASCII)
			state = guard_walk_word(state, words[i]);
	return state;
}

static long kernel_piece(__u32 i, struct name *name)
{
	__u64 at = (__u64)i * PIECE;
	__u64 len;

	if (at >= name->len)
		return 1;
	len = name->len - at;
	if (len > PIECE)
		len = PIECE;
	/* Linux 6.1's verifier has forgotten the limit by now */
	asm volatile("%0 &= 127" : "+r"(len));
	__builtin_memset(name->words, 0, sizeof(name->words));
	if (len > PIECE ||
	    bpf_probe_read_kernel(name->words, len, name->from + at)) {
		name->state = UTF8VAL_REJECT;
		return 1;
	}
	name->state = walk(name->words, PIECE / 8, name->state);
	return name->state == UTF8VAL_REJECT;
}

static __always_inline void name_init(struct name *name,
				      const unsigned char *from, __u32 len)
{
	name->from = from;
	name->len = len;
	name->state = start_state;
}

/* Is a name of 1 to 4096 bytes, anywhere in the kernel's memory, ill-formed? */
static __noinline bool name_is_bad(const unsigned char *from, __u32 len)
{
	struct name name;

	if (len > GUARD_LONGEST_NAME)
		return true;
	name_init(&name, from, len);
	bpf_loop(GUARD_LONGEST_NAME / PIECE, kernel_piece, &name, 0);
	return name.state != UTF8VAL_ACCEPT;
}

/* The place in a dentry where the dentry keeps a short name. */
static __always_inline const __u64 *short_name(const struct dentry *dentry)
{
	const struct dentry___shortname *newer = (const void *)dentry;

	if (bpf_core_field_exists(newer->d_shortname))
		return (const __u64 *)newer->d_shortname.words;
	return (const __u64 *)dentry->d_iname;
}

/*
 * Is a name of less than 32 bytes ill-formed? Its memory can be read directly.
 */
static __always_inline bool short_is_bad(const __u64 *at, __u32 len)
{
	__u64 words[SHORT_WORDS] = { 0 };
	__u32 i;

#pragma unroll
	for (i = 0; i < SHORT_WORDS; i++) {
		if (len <= i * 8)
			break;
		words[i] = first_bytes(at[i], len - i * 8);
	}
	return walk(words, SHORT_WORDS, start_state) != UTF8VAL_ACCEPT;
}

/* Is the name of a dentry ill-formed? Most names are in the dentry itself. */
static __always_inline bool entry_is_bad(const struct dentry *dentry)
{
	const __u64 *at = short_name(dentry);
	const unsigned char *from = dentry->d_name.name;
	__u32 len = dentry->d_name.len;

	if ((__u64)from != (__u64)at || len >= SHORT_WORDS * 8)
		return name_is_bad(from, len);
	return short_is_bad(at, len);
}

#endif /* UTF8VAL_GUARD_NAME_H */
