// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Is a string well-formed UTF-8? RFC 3629's grammar as a shift DFA, whose table
 * utf8val_rows.h explains. Words of ASCII do not change the automaton's state,
 * so they are skipped.
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

/*
 * Are the bytes from @at on well-formed? This function has no fast path for
 * words of ASCII, so the longest name of any characters costs at most four
 * instructions per byte.
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
	 * Most names are ASCII. For them this function needs fewer registers
	 * than the one above. The last two words may overlap others.
	 */
	for (at = 0; len - at >= 16; at += 16)
		if (!is_ascii(word_at(s + at) | word_at(s + at + 8)))
			return is_text(s, at, len);
	first = len < 16 ? 0 : len - 16;
	if (len >= 8 && is_ascii(word_at(s + first) | word_at(s + len - 8)))
		return true;
	return is_text(s, at, len);
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
		utf8val_reason_of(s[result.valid], s[at]);
	return result;
}

const char *utf8val_reason_name(unsigned int reason)
{
	static const char *const names[UTF8VAL_REASONS] = {
		[UTF8VAL_OK] = "ok",
		[UTF8VAL_TRUNCATED] = "truncated",
		[UTF8VAL_STRAY_TAIL] = "stray tail",
		[UTF8VAL_MISSING_TAIL] = "missing tail",
		[UTF8VAL_OVERLONG] = "overlong",
		[UTF8VAL_SURROGATE] = "surrogate",
		[UTF8VAL_TOO_LARGE] = "too large",
		[UTF8VAL_BAD_LEAD] = "bad lead",
	};

	return reason < UTF8VAL_REASONS ? names[reason] : "unknown";
}
