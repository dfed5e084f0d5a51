// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Take only packets whose text is UTF-8, and say what is wrong with others. The suite
 * examples runs it.
 */
#include <stdio.h>

#include "utf8val.h"

/* A packet: the length of its text in one byte, then the text. */
static bool acceptable(const uint8_t *packet, size_t size)
{
	struct utf8val_result r;

	if (size == 0 || packet[0] > size - 1)
		return false;
	r = utf8val_check(packet + 1, packet[0]);
	if (r.reason != UTF8VAL_OK)
		printf("%s at byte %zu, %u long\n",
		       utf8val_reason_name(r.reason), r.valid, r.bad);
	return r.reason == UTF8VAL_OK;
}

int main(void)
{
	static const uint8_t packets[][8] = {
		{ 5, 'c', 'a', 'f', 0xC3, 0xA9 },
		{ 4, 'c', 'a', 'f', 0xE9 },		/* Latin-1 */
		{ 3, '.', 0xC0, 0xAF },			/* an overlong slash */
		{ 7, 'O', 'K', ' ', 0xF0, 0x9F, 0x98, '!' },
		{ 8, 'l', 'i', 'e', 's' },		/* longer than it is */
	};

	for (size_t i = 0; i < sizeof(packets) / sizeof(packets[0]); i++)
		puts(acceptable(packets[i], sizeof(packets[i])) ? "accepted" : "refused");
	return 0;
}

/* Prints:
 * accepted
 * truncated at byte 3, 1 long
 * refused
 * overlong at byte 1, 1 long
 * refused
 * missing tail at byte 3, 3 long
 * refused
 * refused
 */
