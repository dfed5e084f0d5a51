/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a name well-formed? A shift DFA decides, a byte at a time, by the core's table
 * (engine/fast_rows.h). Words of ASCII leave the automaton where it is, so they are
 * skipped at once.
 */
#ifndef UTF8VAL_GUARD_NAME_H
#define UTF8VAL_GUARD_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/fast_rows.h"
#include "bpf/shared/guard_maps.h"
#include "kernel_types.h"

#define NOT_ASCII 0x8080808080808080ull

/* words of a short name that a dentry holds, in every version of Linux */
#define SHORT_WORDS 4
#define SHORT (SHORT_WORDS * 8)
/* bytes of a longer name that are read at once */
#define PIECE (2 * SHORT)

/* bytes of a name, and after its end zeros */
struct bytes {
	union {
		__u64 words[SHORT_WORDS];
		__u8 bytes[SHORT];
	};
};

struct name {
	const unsigned char *from;
	__u32 len;
	__u32 state;
	struct bytes piece[PIECE / SHORT];
};

/*
 * A zero that the verifier takes for any number. On Linux 6.1 the verifier looks at a
 * loop's function once, with the values of the first call. The verifier then drops the
 * branches that these values do not take.
 */
volatile __u32 hidden_zero;

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
 * Walk from a state over bytes. Zeros after a name's end do not change the verdict: a
 * NUL is a character, and continues none. The function is not static, so that the
 * verifier looks at it once, for any arguments, and takes its result for any number.
 */
__noinline __u32 guard_walk(const struct bytes *name, __u32 state)
{
	const __u32 *rows = utf8val_fast_rows;
	__u32 word, i;

	/* the verifier does not know who calls */
	if (!name)
		return UTF8VAL_FAST_REJECT;
	/* or else the compiler computes the table's address again for each byte */
	asm volatile("" : "+r"(rows));
#pragma unroll
	for (word = 0; word < SHORT_WORDS; word++) {
		if (state == UTF8VAL_FAST_ACCEPT && !(name->words[word] & NOT_ASCII))
			continue;
#pragma unroll
		for (i = word * 8; i < word * 8 + 8; i++)
			state = shifted(row_at(rows, name->bytes[i]), state);
		state &= 31;
	}
	return state;
}

static __always_inline bool is_ascii(const struct bytes *name)
{
	__u64 all = 0;
	__u32 i;

#pragma unroll
	for (i = 0; i < SHORT_WORDS; i++)
		all |= name->words[i];
	return !(all & NOT_ASCII);
}

static __always_inline __u32 walk(const struct bytes *name, __u32 state)
{
	if (state == UTF8VAL_FAST_ACCEPT && is_ascii(name))
		return state;
	return guard_walk(name, state);
}

static long kernel_piece(__u32 i, struct name *name)
{
	__u64 at = (__u64)i * PIECE;
	__u64 len = name->len - at;

	if (len > PIECE)
		len = PIECE;
	/* Linux 6.1's verifier has forgotten the limit by now */
	asm volatile("%0 &= 127" : "+r"(len));
	__builtin_memset(name->piece, 0, sizeof(name->piece));
	if (len > PIECE ||
	    bpf_probe_read_kernel(name->piece, len, name->from + at)) {
		name->state = UTF8VAL_FAST_REJECT;
		return 1;
	}
	name->state = walk(&name->piece[1], walk(&name->piece[0], name->state));
	return name->state == UTF8VAL_FAST_REJECT;
}

static __always_inline void name_init(struct name *name,
				      const unsigned char *from, __u32 len)
{
	name->from = from;
	name->len = len;
	name->state = UTF8VAL_FAST_ACCEPT + hidden_zero;
}

/* Is a name of 1 to 4096 bytes, anywhere in the kernel's memory, ill-formed? */
static __noinline bool name_is_bad(const unsigned char *from, __u32 len)
{
	struct name name;

	if (len > GUARD_LONGEST_NAME)
		return true;
	name_init(&name, from, len);
	bpf_loop((len + PIECE - 1) / PIECE, kernel_piece, &name, 0);
	return name.state != UTF8VAL_FAST_ACCEPT;
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
	struct bytes name = { 0 };
	__u32 i;

#pragma unroll
	for (i = 0; i < SHORT_WORDS; i++) {
		if (len <= i * 8)
			break;
		name.words[i] = first_bytes(at[i], len - i * 8);
	}
	return walk(&name, UTF8VAL_FAST_ACCEPT) != UTF8VAL_FAST_ACCEPT;
}

/* Is the name of a dentry ill-formed? Most names are in the dentry itself. */
static __always_inline bool entry_is_bad(const struct dentry *dentry)
{
	const __u64 *at = short_name(dentry);
	const unsigned char *from = dentry->d_name.name;
	__u32 len = dentry->d_name.len;

	if ((__u64)from != (__u64)at || len >= SHORT)
		return name_is_bad(from, len);
	return short_is_bad(at, len);
}

#endif /* UTF8VAL_GUARD_NAME_H */
