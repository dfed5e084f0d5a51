// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * An example: a line of text over the UART of an Arm MPS2 board (AN386, Cortex-M4),
 * checked byte by byte as it arrives. The answer has the length of the line, and if it
 * is not UTF-8, the position and the reason. Then the line is shown with U+FFFD for
 * ill-formed sequences and '.' for control characters.
 *
 * A line may be longer than the room kept for showing it: the check needs
 * none. Registers: Cortex-M System Design Kit, APB UART.
 */
#include "utf8val.h"

#define UART_DATA (*(volatile uint32_t *)0x40004000u)
#define UART_STATE (*(volatile uint32_t *)0x40004004u)
#define UART_CTRL (*(volatile uint32_t *)0x40004008u)
#define UART_BAUDDIV (*(volatile uint32_t *)0x40004010u)
#define STATE_TX_FULL (1u << 0)
#define STATE_RX_FULL (1u << 1)
#define CTRL_TX_RX (1u << 0 | 1u << 1)
/* 25 MHz / 217 = 115200 baud */
#define DIVISOR 217u

/* what is shown of a line; the byte after it tells whether a character is cut */
#define SHOWN 80
#define KEPT (SHOWN + 1)

int main(void);

static uint8_t get(void)
{
	while (!(UART_STATE & STATE_RX_FULL))
		;
	return (uint8_t)UART_DATA;
}

static void put(uint8_t byte)
{
	while (UART_STATE & STATE_TX_FULL)
		;
	UART_DATA = byte;
}

static void put_text(const char *text)
{
	while (*text)
		put((uint8_t)*text++);
}

static void put_number(size_t number)
{
	char digits[11];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	put_text(digits + at);
}

static void put_character(uint32_t cp)
{
	uint8_t bytes[4];
	size_t size;

	if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
		cp = '.';
	size = utf8val_encode(cp, bytes);
	for (size_t i = 0; i < size; i++)
		put(bytes[i]);
}

static void answer(struct utf8val_result result)
{
	if (result.reason == UTF8VAL_OK) {
		put_text("ok: ");
		put_number(result.valid);
		put_text(" bytes\n");
		return;
	}
	put_text("bad: ");
	put_text(utf8val_reason_name(result.reason));
	put_text(" at byte ");
	put_number(result.valid);
	put_text(", ");
	put_number(result.bad);
	put_text(" long\n");
}

static void show(const uint8_t *line, size_t len)
{
	const uint8_t *at = line;
	uint32_t cp;

	put_text("shown: ");
	/* what is ill-formed comes as U+FFFD */
	while (utf8val_next(&at, line + len, &cp) != UTF8VAL_END)
		put_character(cp);
	put_text("\n");
}

int main(void)
{
	static uint8_t line[KEPT];

	UART_BAUDDIV = DIVISOR;
	UART_CTRL = CTRL_TX_RX;
	put_text("utf8val: type a line\n");
	for (;;) {
		struct utf8val_stream stream;
		size_t len = 0;
		uint8_t byte;

		utf8val_stream_init(&stream);
		while ((byte = get()) != '\n') {
			utf8val_stream_feed(&stream, &byte, 1);
			if (len < KEPT)
				line[len++] = byte;
		}
		answer(utf8val_stream_finish(&stream));
		/* a character that doesn't fit is not shown by half */
		show(line, utf8val_floor(line, len, SHOWN));
	}
}
