// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The shared tests where int has 16 bits and data and code lie in memories of
 * their own: TAP over the serial port of an ATmega2560. The vectors are larger than
 * its RAM and stay in flash, see freestanding.mk; each is copied before it is run.
 */
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <string.h>

#include "../../tests/checks.h"

_Static_assert(sizeof(int) == 2, "what this is for");

#define NAME_MAX 96

static uint8_t scratch[UTF8VAL_SCRATCH];
static uint8_t bytes[UTF8VAL_VECTOR_MAX];
static uint8_t replaced[3 * UTF8VAL_VECTOR_MAX];
static char name[NAME_MAX];
static size_t points;
static size_t failed;

static void put(char c)
{
	while (!(UCSR0A & _BV(UDRE0)))
		continue;
	UDR0 = (uint8_t)c;
}

static void puts_(const char *text)
{
	while (*text)
		put(*text++);
}

static void putu(unsigned long number)
{
	char digits[11];
	uint8_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	puts_(digits + at);
}

static void point(bool ok, const char *what,
		  const struct utf8val_failure *failure)
{
	points++;
	failed += !ok;
	puts_(ok ? "ok " : "not ok ");
	putu(points);
	puts_(" - ");
	puts_(what);
	puts_("\n");
	if (ok)
		return;
	puts_("# ");
	puts_(failure->what);
	puts_(", at ");
	putu(failure->at);
	puts_(": want ");
	putu(failure->want);
	puts_(", got ");
	putu(failure->got);
	puts_("\n");
}

/* A vector and what it points to, out of flash; false when it's too long. */
static bool fetch(struct utf8val_vector *vector, size_t at)
{
	memcpy_P(vector, &utf8val_vectors[at], sizeof(*vector));
	strncpy_P(name, vector->name, sizeof(name) - 1);
	vector->name = name;
	if (vector->len > sizeof(bytes) ||
	    vector->replaced_len > sizeof(replaced))
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
	size_t vectors = pgm_read_word(&utf8val_vector_count);
	struct utf8val_failure failure = { "too long a vector", 0, 0, 0 };

	UCSR0B = _BV(TXEN0);
	puts_("# vectors: ");
	putu(vectors);
	puts_(", checks: ");
	putu(utf8val_case_count);
	puts_("\n1..");
	putu(vectors + utf8val_case_count);
	puts_("\n");
	for (size_t i = 0; i < vectors; i++) {
		struct utf8val_vector vector;
		bool ok = fetch(&vector, i) &&
			  utf8val_check_vector(&vector, scratch, &failure);

		point(ok, name, &failure);
	}
	for (size_t i = 0; i < utf8val_case_count; i++) {
		bool ok = utf8val_cases[i].run(scratch, &failure);

		point(ok, utf8val_cases[i].name, &failure);
	}
	puts_("# the end\n");
	for (;;)
		continue;
}
