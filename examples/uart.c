// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Check lines as their bytes arrive and keep none of them. Here the bytes come from an
 * array; freestanding/example/uart.c does it on a board. The suite examples runs it.
 */
#include <stdio.h>

#include "utf8val.h"

static struct utf8val_stream line;

static void ended(struct utf8val_result r)
{
	printf("%s: %zu good bytes\n", utf8val_reason_name(r.reason), r.valid);
}

/* For the receive interrupt. */
static void received(uint8_t byte)
{
	if (byte != '\n') {
		utf8val_stream_feed(&line, &byte, 1);
		return;
	}
	ended(utf8val_stream_finish(&line));
	utf8val_stream_init(&line);
}

int main(void)
{
	static const uint8_t wire[] =
		"21 \xC2\xB0\n21 \xB0\n\xE4\xBD\n\xF0\x9F\x98\x80\n\n";

	utf8val_stream_init(&line);
	for (size_t i = 0; i < sizeof(wire) - 1; i++)
		received(wire[i]);
	return 0;
}

/* Prints:
 * ok: 5 good bytes
 * stray tail: 3 good bytes
 * truncated: 0 good bytes
 * ok: 4 good bytes
 * ok: 0 good bytes
 */
