/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * utf8val: check, decode, walk and repair UTF-8 (RFC 3629).
 *
 * Guarantees, for every function here:
 *  - nothing outside [buf, buf + len) is read, whatever the bytes are;
 *  - no allocation, no recursion, no global mutable state: every function is
 *    reentrant and may run in any context, interrupt handlers included;
 *  - no library is needed, neither libc nor libgcc;
 *  - a length of 0 is well-formed, and the pointer may then be NULL.
 *
 * Lengths and positions count bytes. A "unit" is one well-formed character
 * or, where the input is ill-formed, one maximal subpart (1 to 3 bytes: what
 * a single U+FFFD stands for; The Unicode Standard, section 3.9, "U+FFFD
 * Substitution of Maximal Subparts").
 *
 * Not checked here: normalisation, unassigned code points, noncharacters.
 */
#ifndef UTF8VAL_H
#define UTF8VAL_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

#define UTF8VAL_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum utf8val_reason - why a sequence is ill-formed
 * @UTF8VAL_OK: it is not
 * @UTF8VAL_TRUNCATED: the input ends inside a sequence that more bytes could
 *	complete
 * @UTF8VAL_STRAY_TAIL: a tail byte (80..BF) where a lead byte must stand
 * @UTF8VAL_MISSING_TAIL: a lead byte and its good tails, then no tail
 * @UTF8VAL_OVERLONG: a longer form of a smaller code point: C0, C1, E0 before
 *	80..9F, F0 before 80..8F
 * @UTF8VAL_SURROGATE: U+D800..U+DFFF: ED before A0..BF
 * @UTF8VAL_TOO_LARGE: above U+10FFFF: F4 before 90..BF, F5..F7
 * @UTF8VAL_BAD_LEAD: F8..FF, which no code point up to U+10FFFF has ever used
 */
enum utf8val_reason {
	UTF8VAL_OK = 0,
	UTF8VAL_TRUNCATED,
	UTF8VAL_STRAY_TAIL,
	UTF8VAL_MISSING_TAIL,
	UTF8VAL_OVERLONG,
	UTF8VAL_SURROGATE,
	UTF8VAL_TOO_LARGE,
	UTF8VAL_BAD_LEAD,
};

/**
 * struct utf8val_result - where and why the first ill-formed sequence is
 * @valid: bytes before it; the whole length when there is none
 * @bad: length of its maximal subpart in bytes, 1 to 3; 0 when there is none
 * @reason: enum utf8val_reason
 */
struct utf8val_result {
	size_t valid;
	uint8_t bad;
	uint8_t reason;
};

/**
 * utf8val_valid() - is this well-formed UTF-8?
 * @buf: the bytes; may be NULL when @len is 0
 * @len: how many
 *
 * Return: true when RFC 3629's UTF8-octets describes all @len bytes.
 */
bool utf8val_valid(const void *buf, size_t len);

/**
 * utf8val_prefix() - length of the longest well-formed prefix
 * @buf: the bytes; may be NULL when @len is 0
 * @len: how many
 *
 * Return: the largest n <= @len for which utf8val_valid(buf, n) holds; the
 * first ill-formed sequence starts there.
 */
size_t utf8val_prefix(const void *buf, size_t len);

/**
 * utf8val_check() - find and explain the first ill-formed sequence
 * @buf: the bytes; may be NULL when @len is 0
 * @len: how many
 *
 * Return: its position, length and reason; valid == @len, bad == 0 and
 * UTF8VAL_OK when there is none.
 */
struct utf8val_result utf8val_check(const void *buf, size_t len);

/**
 * utf8val_reason_name() - a reason as a word
 * @reason: any value
 *
 * Return: a constant, lower-case string such as "overlong"; "unknown" for a
 * value outside the enumeration. Never NULL.
 */
const char *utf8val_reason_name(enum utf8val_reason reason);

#ifdef __cplusplus
}
#endif

#endif /* UTF8VAL_H */
