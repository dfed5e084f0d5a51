/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A check for UTF-8 (RFC 3629), for file names and other strings.
 *
 * Every function here may be called in any context: it takes no lock, allocates
 * nothing and never sleeps. It reads only the @len bytes at @buf, whatever the
 * bytes are, and a NUL is a character like any other. Lengths and positions are
 * in bytes. A length of 0 is well-formed; @buf may be NULL then.
 *
 * Unassigned code points, noncharacters and all normalisation forms are
 * well-formed.
 */
#ifndef _LINUX_UTF8VAL_H
#define _LINUX_UTF8VAL_H

#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/types.h>

/**
 * enum utf8val_reason - why a sequence is ill-formed
 * @UTF8VAL_OK: the sequence is well-formed
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
	UTF8VAL_OK,
	UTF8VAL_TRUNCATED,
	UTF8VAL_STRAY_TAIL,
	UTF8VAL_MISSING_TAIL,
	UTF8VAL_OVERLONG,
	UTF8VAL_SURROGATE,
	UTF8VAL_TOO_LARGE,
	UTF8VAL_BAD_LEAD
};

/* How many reasons there are, UTF8VAL_OK included. */
#define UTF8VAL_REASONS (UTF8VAL_BAD_LEAD + 1)

/**
 * struct utf8val_result - where and why the first ill-formed sequence is
 * @valid: bytes before that sequence; the whole length when there is none
 * @bad: the sequence's length in bytes, 1 to 3: what a single U+FFFD stands
 *	for; 0 when there is none
 * @reason: enum utf8val_reason
 */
struct utf8val_result {
	size_t valid;
	u8 bad;
	u8 reason;
};

/**
 * utf8val_valid() - is this well-formed UTF-8?
 * @buf: the bytes
 * @len: how many bytes
 *
 * Return: true when RFC 3629's UTF8-octets describes all @len bytes.
 */
bool utf8val_valid(const void *buf, size_t len);

/**
 * utf8val_check() - find and explain the first ill-formed sequence
 * @buf: the bytes
 * @len: how many bytes
 *
 * To cut text at a character, check the bytes that fit and keep the first @valid
 * of them.
 *
 * Return: the position, length and reason of that sequence; valid == @len,
 * bad == 0 and UTF8VAL_OK when there is none.
 */
struct utf8val_result utf8val_check(const void *buf, size_t len);

/**
 * utf8val_reason_name() - a reason as words
 * @reason: enum utf8val_reason, or any other value
 *
 * Return: a constant, lower-case string such as "overlong"; "unknown" for a
 * value outside the enumeration. Never NULL.
 */
const char *utf8val_reason_name(unsigned int reason);

/**
 * utf8val_check_name() - is this file name well-formed UTF-8?
 * @name: the name; only its len counts, no terminating NUL is looked for
 *
 * Context: Any context. The caller sees to it that the name does not change
 * meanwhile (for a dentry's d_name: the parent's i_rwsem or the dentry's d_lock
 * is held).
 * Return: 0, or -EILSEQ when the name is ill-formed.
 */
static inline int utf8val_check_name(const struct qstr *name)
{
	return utf8val_valid(name->name, name->len) ? 0 : -EILSEQ;
}

#endif /* _LINUX_UTF8VAL_H */
