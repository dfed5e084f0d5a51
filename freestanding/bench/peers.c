// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "peers.h"

#include <stdbool.h>

/*
 * The classes of bytes are named by their ranges, the states by the tails or by the second
 * byte that they wait for.
 */
enum { ASCII, T8, T9, TA, NEVER, L2, LE0, L3, LED, LF0, L4, LF4, CLASSES };
enum { START, T1, T2, E0, ED, T3, F0, F4, STATES, REJECT = STATES };

static const uint8_t classes[256] = {
	[0x00 ... 0x7F] = ASCII, [0x80 ... 0x8F] = T8, [0x90 ... 0x9F] = T9,
	[0xA0 ... 0xBF] = TA,	 [0xC0 ... 0xC1] = NEVER,
	[0xC2 ... 0xDF] = L2,	 [0xE0] = LE0,	[0xE1 ... 0xEC] = L3,
	[0xED] = LED,		 [0xEE ... 0xEF] = L3,	[0xF0] = LF0,
	[0xF1 ... 0xF3] = L4,	 [0xF4] = LF4,	[0xF5 ... 0xFF] = NEVER,
};

#define R REJECT
static const uint8_t states[STATES][CLASSES] = {
	/*	    A	   8  9	 A  N  L2  E0  L3  ED  F0  L4  F4 */
	[START] = { START, R, R, R, R, T1, E0, T2, ED, F0, T3, F4 },
	[T1] = { R, START, START, START, R, R, R, R, R, R, R, R },
	[T2] = { R, T1, T1, T1, R, R, R, R, R, R, R, R },
	[E0] = { R, R, R, T1, R, R, R, R, R, R, R, R },
	[ED] = { R, T1, T1, R, R, R, R, R, R, R, R, R },
	[T3] = { R, T2, T2, T2, R, R, R, R, R, R, R, R },
	[F0] = { R, R, T2, T2, R, R, R, R, R, R, R, R },
	[F4] = { R, T2, R, R, R, R, R, R, R, R, R, R },
};
#undef R

size_t peer_class_table(const void *buf, size_t len)
{
	const uint8_t *s = buf;
	uint32_t state = START;
	size_t valid = 0;

	for (size_t at = 0; at < len; at++) {
		state = states[state][classes[s[at]]];
		if (state == REJECT)
			break;
		if (state == START)
			valid = at + 1;
	}
	return valid;
}

size_t peer_need_lo_hi(const void *buf, size_t len)
{
	const uint8_t *s = buf;
	uint32_t need = 0;
	uint32_t lo = 0x80;
	uint32_t hi = 0xBF;
	size_t valid = 0;

	for (size_t at = 0; at < len; at++) {
		uint32_t byte = s[at];

		if (need) {
			if (byte < lo || byte > hi)
				break;
			lo = 0x80;
			hi = 0xBF;
			need--;
		} else if (byte >= 0x80) {
			if (byte < 0xC2 || byte > 0xF4)
				break;
			need = 1;
			if (byte >= 0xE0) {
				need = 2;
				if (byte == 0xE0)
					lo = 0xA0;
				if (byte == 0xED)
					hi = 0x9F;
			}
			if (byte >= 0xF0) {
				need = 3;
				if (byte == 0xF0)
					lo = 0x90;
				if (byte == 0xF4)
					hi = 0x8F;
			}
		}
		if (!need)
			valid = at + 1;
	}
	return valid;
}

static bool tail(uint8_t byte)
{
	return byte >= 0x80 && byte <= 0xBF;
}

size_t peer_if_else(const void *buf, size_t len)
{
	const uint8_t *s = buf;
	size_t at = 0;

	while (at < len) {
		uint8_t lead = s[at];
		size_t left = len - at;

		if (lead <= 0x7F) {
			at += 1;
		} else if (lead >= 0xC2 && lead <= 0xDF) {
			if (left < 2 || !tail(s[at + 1]))
				break;
			at += 2;
		} else if (lead >= 0xE0 && lead <= 0xEF) {
			if (left < 3 || !tail(s[at + 1]) || !tail(s[at + 2]))
				break;
			if (lead == 0xE0 && s[at + 1] < 0xA0)
				break;
			if (lead == 0xED && s[at + 1] > 0x9F)
				break;
			at += 3;
		} else if (lead >= 0xF0 && lead <= 0xF4) {
			if (left < 4 || !tail(s[at + 1]) || !tail(s[at + 2]) ||
			    !tail(s[at + 3]))
				break;
			if (lead == 0xF0 && s[at + 1] < 0x90)
				break;
			if (lead == 0xF4 && s[at + 1] > 0x8F)
				break;
			at += 4;
		} else {
			break;
		}
	}
	return at;
}

/*
 * A code point's bits are gathered, and then it must need as many bytes as it has. The
 * bit above all bits of a lead's code point, which says whether another tail follows,
 * moves up by six as they do, and down by one in the lead: by five.
 */
size_t peer_textbook(const void *buf, size_t len)
{
	const uint8_t *s = buf;
	size_t at = 0;

	for (;;) {
		const size_t start = at;
		uint32_t more = 0x40;
		uint32_t least;
		uint32_t cp;

		if (at == len)
			return start;
		cp = s[at++];
		if (cp < 0x80)
			continue;
		/* with FE and FF, the bit would leave the word */
		if (cp >= 0xFE)
			return start;
		while (cp & more) {
			uint32_t tail;

			if (at == len)
				return start;
			tail = s[at++] - 0x80u;
			if (tail > 0x3F)
				return start;
			cp = cp << 6 | tail;
			more <<= 5;
		}
		cp &= more - 1;
		least = more >> 5;
		if (least < 0x80)
			least = 0x80;
		if (cp < least || cp >> 11 == 0x1B || cp >> 16 > 0x10)
			return start;
	}
}

/* The same, where the range of leads leaves two bytes no overlong form. */
size_t peer_textbook_leads(const void *buf, size_t len)
{
	const uint8_t *s = buf;
	size_t at = 0;

	for (;;) {
		const size_t start = at;
		uint32_t more = 0x40;
		uint32_t cp;

		if (at == len)
			return start;
		cp = s[at++];
		if (cp < 0x80)
			continue;
		if (cp < 0xC2 || cp > 0xF4)
			return start;
		while (cp & more) {
			uint32_t tail;

			if (at == len)
				return start;
			tail = s[at++] - 0x80u;
			if (tail > 0x3F)
				return start;
			cp = cp << 6 | tail;
			more <<= 5;
		}
		cp &= more - 1;
		if (cp < more >> 5 || cp >> 11 == 0x1B || cp >> 16 > 0x10)
			return start;
	}
}
