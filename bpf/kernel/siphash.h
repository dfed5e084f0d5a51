/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SipHash-2-4, by Aumasson and Bernstein, of a few words and then a name. removed.h calls
 * it.
 */
#ifndef UTF8VAL_GUARD_SIPHASH_H
#define UTF8VAL_GUARD_SIPHASH_H

#include "bpf/shared/guard_maps.h"
#include "kernel_types.h"
#include "name.h"

struct hash {
	const unsigned char *from;
	__u32 len;
	__u32 failed;
	__u64 v[4];
	__u64 words[PIECE / 8];
};

static __always_inline __u64 rotated(__u64 word, __u32 bits)
{
	return word << bits | word >> (64 - bits);
}

/* A round of SipHash, by Aumasson and Bernstein. */
static __always_inline void hash_round(__u64 *v)
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotated(v[1], 13) ^ v[0];
	v[3] = rotated(v[3], 16) ^ v[2];
	v[0] = rotated(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotated(v[1], 17) ^ v[2];
	v[3] = rotated(v[3], 21) ^ v[0];
	v[2] = rotated(v[2], 32);
}

static __always_inline void hash_word(__u64 *v, __u64 word)
{
	v[3] ^= word;
	hash_round(v);
	hash_round(v);
	v[0] ^= word;
}

static long hash_piece(__u32 i, struct hash *hash)
{
	__u64 at = (__u64)i * PIECE;
	__u64 len;
	__u32 word;

	if (at >= hash->len)
		return 1;
	len = hash->len - at;
	if (len > PIECE)
		len = PIECE;
	/* Linux 6.1's verifier has forgotten the limit by now */
	asm volatile("%0 &= 127" : "+r"(len));
	__builtin_memset(hash->words, 0, sizeof(hash->words));
	if (len > PIECE || bpf_probe_read_kernel(hash->words, len, hash->from + at)) {
		hash->failed = true;
		return 1;
	}
#pragma unroll
	for (word = 0; word < PIECE / 8; word++)
		hash_word(hash->v, hash->words[word]);
	return 0;
}

static __always_inline void hash_init(struct hash *hash, const __u64 *key)
{
	hash->v[0] = key[0] ^ 0x736F6D6570736575ull;
	hash->v[1] = key[1] ^ 0x646F72616E646F6Dull;
	hash->v[2] = key[0] ^ 0x6C7967656E657261ull;
	hash->v[3] = key[1] ^ 0x7465646279746573ull;
	hash->failed = 0;
}

/*
 * Go on with a name, filled up with zeros to whole pieces, and with its length. Returns:
 * the hash, which is not 0, or 0 if the name cannot be read.
 */
static __always_inline __u64 hash_name(struct hash *hash, const unsigned char *from, __u32 len)
{
	__u64 sum;
	__u32 i;

	hash->from = from;
	hash->len = len;
	bpf_loop(GUARD_LONGEST_NAME / PIECE, hash_piece, hash, 0);
	if (hash->failed || hash->len > GUARD_LONGEST_NAME)
		return 0;
	hash_word(hash->v, hash->len);
	hash->v[2] ^= 0xFF;
#pragma unroll
	for (i = 0; i < 4; i++)
		hash_round(hash->v);
	sum = hash->v[0] ^ hash->v[1] ^ hash->v[2] ^ hash->v[3];
	return sum ? sum : 1;
}

#endif /* UTF8VAL_GUARD_SIPHASH_H */
