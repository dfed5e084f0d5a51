// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A string of MQTT 5.0 that arrives over a UART byte by byte, and becomes the
 * name of a Bluetooth device.
 */
#include <stdio.h>
#include <string.h>

#include "utf8val.h"

/* A device's name has this many bytes at most (Bluetooth Core, volume 3, part C). */
#define NAME_BYTES 248

enum progress { GOES_ON, WHOLE, MALFORMED };

struct mqtt_string {
	struct utf8val_dfa dfa;
	uint32_t cp;
	unsigned int prefix;		/* how many bytes of the length have arrived */
	unsigned int due;		/* the length; then what is missing of the text */
	size_t kept;
	char name[NAME_BYTES + 1];	/* with its NUL */
};

/* U+0000 must be refused; control characters and noncharacters may be. */
static bool is_refused(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) ||
	       (cp >= 0xFDD0 && cp < 0xFDF0) || (cp & 0xFFFE) == 0xFFFE;
}

/* For the receive interrupt; the string is all zeros before its first byte. */
static enum progress mqtt_received(struct mqtt_string *string, uint8_t byte)
{
	uint32_t state = string->dfa.state;

	if (string->prefix < 2) {
		string->prefix++;
		string->due = string->due << 8 | byte;
	} else {
		string->due--;
		state = utf8val_step(&string->dfa, &string->cp, byte);
		if (state == UTF8VAL_REJECT ||
		    (state == UTF8VAL_ACCEPT && is_refused(string->cp)))
			return MALFORMED;
		if (string->kept < NAME_BYTES)
			string->name[string->kept++] = (char)byte;
	}
	if (string->prefix < 2 || string->due)
		return GOES_ON;
	if (state != UTF8VAL_ACCEPT)
		return MALFORMED;
	/* where the name is full, its last character may be cut */
	string->kept = utf8val_trim(string->name, string->kept);
	string->name[string->kept] = '\0';
	return WHOLE;
}

static void receive(const char *what, const char *text, size_t len)
{
	struct mqtt_string string = { { UTF8VAL_ACCEPT }, 0, 0, 0, 0, "" };
	enum progress progress = mqtt_received(&string, (uint8_t)(len >> 8));

	if (progress == GOES_ON)
		progress = mqtt_received(&string, (uint8_t)len);
	while (progress == GOES_ON)
		progress = mqtt_received(&string, (uint8_t)*text++);
	if (progress == WHOLE)
		printf("%s: a name of %zu bytes of %zu\n", what,
		       strlen(string.name), len);
	else
		printf("%s: malformed\n", what);
}

int main(void)
{
	char rooms[2 + 300] = "aa";

	for (size_t at = 2; at < sizeof(rooms); at += 3)
		memcpy(rooms + at, "\u5BA4", 3);
	receive("plain", "hall", 4);
	receive("empty", "", 0);
	receive("U+FEFF stays", "\uFEFFhall", 7);
	receive("just fits", rooms, 248);
	receive("too long", rooms + 2, 300);
	receive("U+0000", "ha\0l", 4);
	receive("U+0000 in two bytes", "\xC0\x80", 2);
	receive("a surrogate", "\xED\xA0\x80", 3);
	receive("cut short", "hal\xC3", 4);
	receive("U+0085, a control character", "\xC2\x85", 2);
	receive("U+FFFF, a noncharacter", "\xEF\xBF\xBF", 3);
	return 0;
}

/* Prints:
 * plain: a name of 4 bytes of 4
 * empty: a name of 0 bytes of 0
 * U+FEFF stays: a name of 7 bytes of 7
 * just fits: a name of 248 bytes of 248
 * too long: a name of 246 bytes of 300
 * U+0000: malformed
 * U+0000 in two bytes: malformed
 * a surrogate: malformed
 * cut short: malformed
 * U+0085, a control character: malformed
 * U+FFFF, a noncharacter: malformed
 */
