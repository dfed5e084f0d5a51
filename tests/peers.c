// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Compare each validator of freestanding/README.md with the oracle: the page compares the
 * core's size with theirs, so they must be right. The inputs are all strings of three
 * bytes, and every lead before six tails, of the bytes where an answer may change. TAP;
 * the suite peers runs it.
 */
#include <stdio.h>

#include "freestanding/bench/peers.h"
#include "oracle.h"

static const struct {
	const char *name;
	size_t (*prefix)(const void *buf, size_t len);
} peers[] = {
	{ "if/else", peer_if_else },
	{ "textbook", peer_textbook },
	{ "by leads", peer_textbook_leads },
};

static const uint8_t tails[] = { 0x7F, 0x80, 0x84, 0x8F, 0x90, 0xA0, 0xBF };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LEN 7

static size_t wrong[COUNT(peers)];
static unsigned long strings;

static void compare(const uint8_t *s, size_t len)
{
	size_t want = oracle_check(s, len).valid;

	strings++;
	for (size_t peer = 0; peer < COUNT(peers); peer++) {
		if (peers[peer].prefix(s, len) == want || wrong[peer]++)
			continue;
		printf("# %s:", peers[peer].name);
		for (size_t i = 0; i < len; i++)
			printf(" %02X", s[i]);
		printf(": want %zu, got %zu\n", want, peers[peer].prefix(s, len));
	}
}

int main(void)
{
	uint8_t s[LEN] = { 0 };
	size_t failed = 0;

	for (size_t len = 0; len <= 3; len++) {
		for (uint32_t n = 0; n < 1u << 8 * len; n++) {
			for (size_t i = 0; i < len; i++)
				s[i] = (uint8_t)(n >> 8 * i);
			compare(s, len);
		}
	}
	for (uint32_t lead = 0x80; lead < 0x100; lead++) {
		size_t digit[LEN] = { 0 };
		size_t i;

		do {
			s[0] = (uint8_t)lead;
			for (i = 1; i < LEN; i++)
				s[i] = tails[digit[i]];
			compare(s, LEN);
			for (i = LEN - 1; i && ++digit[i] == COUNT(tails); i--)
				digit[i] = 0;
		} while (i);
	}
	for (size_t peer = 0; peer < COUNT(peers); peer++) {
		failed += wrong[peer] != 0;
		printf("%sok %zu - peer %s, %lu strings\n", wrong[peer] ? "not " : "",
		       peer + 1, peers[peer].name, strings);
	}
	printf("1..%zu\n", COUNT(peers));
	return failed != 0;
}
