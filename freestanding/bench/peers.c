// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Other ways to check UTF-8, which peers.h describes. bench.c counts their instructions,
 * and tests/peers.c compares them with the oracle.
 */
#include "peers.h"

#include <stdbool.h>

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
 * bit above all bits of a lead's code point shows whether another tail follows. It
 * moves up by six with these bits, and down by one in the lead: by five.
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
