// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A string of MQTT that arrives over a UART byte by byte becomes the name of a device.
 * The suite examples runs it.
 */
#include <stdio.h>

#include "utf8val.h"

#define NAME_BYTES 8

/* All zeros before the first byte. */
struct mqtt_string {
	struct utf8val_dfa dfa;
	uint32_t cp;
	size_t kept;
	char name[NAME_BYTES + 1];
};

/* For the receive interrupt: keep a byte, and return false for U+0000 and no UTF-8. */
static bool mqtt_received(struct mqtt_string *string, uint8_t byte)
{
	uint32_t state = utf8val_step(&string->dfa, &string->cp, byte);

	if (string->kept < NAME_BYTES)
		string->name[string->kept++] = (char)byte;
	return state != UTF8VAL_REJECT && (state != UTF8VAL_ACCEPT || string->cp != 0);
}

/* After the last byte: end the name, and return false if the last character is cut. */
static bool mqtt_ended(struct mqtt_string *string)
{
	/* where the name is full, its last character may be cut */
	string->kept = utf8val_trim(string->name, string->kept);
	string->name[string->kept] = '\0';
	return string->dfa.state == UTF8VAL_ACCEPT;
}

static void receive(const char *text, size_t len)
{
	struct mqtt_string string = { .kept = 0 };
	bool is_good = true;

	for (size_t at = 0; at < len && is_good; at++)
		is_good = mqtt_received(&string, (uint8_t)text[at]);
	puts(is_good && mqtt_ended(&string) ? string.name : "malformed");
}

int main(void)
{
	receive("\u5BA4\u5BA4\u5BA4", 9);
	receive("hal\xC3", 4);
	receive("ha\0l", 4);
	return 0;
}

/* Prints:
 * 室室
 * malformed
 * malformed
 */
