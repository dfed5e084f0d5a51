// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The shared tests where int has 16 bits and data and code lie in memories of
 * their own: TAP over the serial port of an ATmega2560. The vectors are larger than
 * its RAM and stay in flash, see freestanding.mk; each is copied before it is run.
 */
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <string.h>

#include "tests/checks.h"

_Static_assert(sizeof(int) == 2, "what this is for");

#define NAME_MAX 96

static uint8_t bytes[UTF8VAL_VECTOR_MAX];
static uint8_t replaced[3 * UTF8VAL_VECTOR_MAX];
static char name[NAME_MAX];

static void put(char c)
{
	while (!(UCSR0A & _BV(UDRE0)))
		continue;
	UDR0 = (uint8_t)c;
}

static void boot_puts(const char *text)
{
	while (*text)
		put(*text++);
}

static void boot_putu(unsigned long number)
{
	char digits[11];
	uint8_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	boot_puts(digits + at);
}

#include "freestanding/points.h"

/* A vector and what it points to, out of flash; false when it's too long. */
static bool fetch(struct utf8val_vector *vector, size_t at)
{
	memcpy_P(vector, &utf8val_vectors[at], sizeof(*vector));
	strncpy_P(name, vector->name, sizeof(name) - 1);
	vector->name = name;
	if (vector->len > sizeof(bytes) || vector->replaced_len > sizeof(replaced))
		return false;
	memcpy_P(bytes, vector->bytes, vector->len);
	vector->bytes = bytes;
	if (vector->replaced) {
		memcpy_P(replaced, vector->replaced, vector->replaced_len);
		vector->replaced = replaced;
	}
	return true;
}

int main(void)
{
	UCSR0B = _BV(TXEN0);
	run_shared(pgm_read_word(&utf8val_vector_count), 0, fetch);
	boot_puts("# the end\n");
	for (;;)
		continue;
}
