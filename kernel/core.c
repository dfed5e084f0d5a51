// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Is a string well-formed UTF-8? RFC 3629's grammar as a shift DFA, whose table
 * is generated; words of ASCII leave the automaton where it is, so they are
 * passed over at once.
 */
#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/utf8val.h>

#include "utf8val_rows.h"

#define NOT_ASCII 0x8080808080808080ULL

static u32 step(u32 state, u8 byte)
{
	return utf8val_fast_rows[byte] >> (state & 31);
}

static u32 four_steps(u32 state, const u8 *s)
{
	return step(step(step(step(state, s[0]), s[1]), s[2]), s[3]);
}

static u64 word_at(const u8 *s)
{
	u64 word;

	memcpy(&word, s, sizeof(word));
	return word;
}

static bool is_ascii(u64 word)
{
	return !(word & NOT_ASCII);
}

static bool is_tail(u8 byte)
{
	return byte >> 6 == 2;
}

/*
 * Is this text from the byte at @at on? No word is looked at whole here, so
 * that the longest name of any characters costs no more than four instructions
 * a byte.
 */
static noinline bool is_text(const u8 *s, size_t at, size_t len)
{
	u32 state = UTF8VAL_FAST_ACCEPT;

	for (; len - at >= 8; at += 8)
		state = four_steps(four_steps(state, s + at), s + at + 4);
	for (; at < len; at++)
		state = step(state, s[at]);
	return (state & 31) == UTF8VAL_FAST_ACCEPT;
}

bool utf8val_valid(const void *buf, size_t len)
{
	const u8 *s = buf;
	size_t at, first;

	/*
	 * Most names are ASCII, and need none of the registers of the function
	 * above. The last two words may begin in those before them.
	 */
	for (at = 0; len - at >= 16; at += 16)
		if (!is_ascii(word_at(s + at) | word_at(s + at + 8)))
			return is_text(s, at, len);
	first = len < 16 ? 0 : len - 16;
	if (len >= 8 && is_ascii(word_at(s + first) | word_at(s + len - 8)))
		return true;
	return is_text(s, at, len);
}

/*
 * Why a sequence is ill-formed: its first byte, and the byte that the automaton
 * rejects, which may be the same.
 */
static enum utf8val_reason reason_of(u8 first, u8 rejected, bool is_first)
{
	if (is_first) {
		if (is_tail(first))
			return UTF8VAL_STRAY_TAIL;
		if (first < 0xC2)
			return UTF8VAL_OVERLONG;
		return first < 0xF8 ? UTF8VAL_TOO_LARGE : UTF8VAL_BAD_LEAD;
	}
	if (!is_tail(rejected))
		return UTF8VAL_MISSING_TAIL;
	/* a second byte that is a tail, but out of this lead byte's range */
	if (first == 0xED)
		return UTF8VAL_SURROGATE;
	return first == 0xF4 ? UTF8VAL_TOO_LARGE : UTF8VAL_OVERLONG;
}

struct utf8val_result utf8val_check(const void *buf, size_t len)
{
	struct utf8val_result result = { .reason = UTF8VAL_OK };
	const u8 *s = buf;
	u32 state = UTF8VAL_FAST_ACCEPT;
	size_t at;

	for (at = 0; at < len; at++) {
		state = step(state, s[at]) & 31;
		if (state == UTF8VAL_FAST_ACCEPT)
			result.valid = at + 1;
		else if (state == UTF8VAL_FAST_REJECT)
			break;
	}
	if (state == UTF8VAL_FAST_ACCEPT)
		return result;
	result.bad = at - result.valid ?: 1;
	result.reason = at == len ? UTF8VAL_TRUNCATED :
		reason_of(s[result.valid], s[at], at == result.valid);
	return result;
}

#define NAME(id, word) \
	[UTF8VAL_##id] = word,
const char *utf8val_reason_name(unsigned int reason)
{
	static const char *const names[UTF8VAL_REASONS] = {
		UTF8VAL_REASON_LIST(NAME, NAME)
	};

	return reason < UTF8VAL_REASONS ? names[reason] : "unknown";
}
