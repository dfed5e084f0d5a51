// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Names that Windows and other systems accept. scan/extra.c calls it for
 * --portable.
 */
#include "scan/portable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/newname.h"
#include "utf8val.h"

/* UTF-16 units of a name */
#define UNITS 255

static bool is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7F && cp < 0xA0);
}

/*
 * The characters that other systems write for one that Windows forbids. These are the
 * character itself or, on Macs, one of the private use area from U+F001 on.
 */
static bool is_stand_in(uint32_t cp)
{
	return cp > 0xF000 && cp < 0xF080;
}

static bool is_forbidden(uint32_t cp)
{
	return cp < 0x80 && strchr("<>:\"/\\|?*", (int)cp) && cp;
}

/* Is this a character that no name may end with? */
static bool is_end(char c)
{
	return c == '.' || c == ' ';
}

static size_t count_units(const uint8_t *name, size_t len)
{
	size_t units = 0;

	/* characters of four bytes take two */
	for (size_t i = 0; i < len; i++)
		units += name[i] >= 0xF0 ? 2 : (name[i] & 0xC0) != 0x80;
	return units;
}

/*
 * How many bytes the name of a device takes at the beginning of a name that means the
 * device. It ends at a dot; blanks before the dot do not count.
 */
static size_t device_len(const char *name, size_t len)
{
	static const char *const devices[] = { "CON", "PRN", "AUX", "NUL",
					       "CONIN$", "CONOUT$" };
	const char *dot = memchr(name, '.', len);
	size_t stem = dot ? (size_t)(dot - name) : len;

	while (stem && name[stem - 1] == ' ')
		stem--;
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		if (stem == strlen(devices[i]) && !strncasecmp(name, devices[i], stem))
			return stem;
	}
	if (stem < 4 || (strncasecmp(name, "COM", 3) != 0 &&
			 strncasecmp(name, "LPT", 3) != 0))
		return 0;
	if (stem == 4 && name[3] >= '1' && name[3] <= '9')
		return stem;
	/* the digits of ISO 8859-1 that stand high: U+00B9, U+00B2, U+00B3 */
	if (stem == 5 && (!memcmp(name + 3, "\xC2\xB9", 2) ||
			  !memcmp(name + 3, "\xC2\xB2", 2) ||
			  !memcmp(name + 3, "\xC2\xB3", 2)))
		return stem;
	return 0;
}

static void add_reason(struct text *to, size_t begin, const char *reason)
{
	if (to->len > begin)
		text_puts(to, ", ");
	text_puts(to, reason);
}

/* The characters that are not permitted, each once. */
static void add_characters(struct text *to, size_t begin, const uint8_t *name, size_t len)
{
	bool control = false, seen[0x80] = { false }, stands[0x80] = { false };
	uint32_t cp;

	for_each_character(cp, name, len) {
		char quoted[] = "has ' '";

		if (is_control(cp) && !control) {
			control = true;
			add_reason(to, begin, "has a control character");
		} else if (is_forbidden(cp) && !seen[cp]) {
			seen[cp] = true;
			quoted[5] = (char)cp;
			add_reason(to, begin, quoted);
		} else if (is_stand_in(cp) && !stands[cp & 0x7F]) {
			stands[cp & 0x7F] = true;
			add_reason(to, begin, "");
			text_printf(to, "has U+%04X, which stands for another character",
				    (unsigned int)cp);
		}
	}
}

void portable_reason(const void *name, size_t len, struct text *to)
{
	size_t begin = to->len, units = count_units(name, len);
	const char *bytes = name;

	add_characters(to, begin, name, len);
	if (is_end(bytes[len - 1]))
		add_reason(to, begin, bytes[len - 1] == '.' ?
					      "ends with a dot" :
					      "ends with a space");
	if (device_len(name, len)) {
		add_reason(to, begin, "names the device ");
		text_add(to, name, device_len(name, len));
	}
	if (units > UNITS) {
		add_reason(to, begin, "");
		text_printf(to, "has %zu UTF-16 units, not %d at most", units, UNITS);
	}
}

static void add_replaced(struct text *to, const uint8_t *name, size_t len)
{
	const uint8_t *pos = name, *end = pos + len, *from = pos;
	uint32_t cp;

	while (utf8val_next(&pos, end, &cp) != UTF8VAL_END) {
		if (is_control(cp) || is_forbidden(cp) || is_stand_in(cp))
			text_puts(to, "_");
		else
			text_add(to, from, (size_t)(pos - from));
		from = pos;
	}
}

static void mend_end(char *name, size_t len)
{
	while (len && is_end(name[len - 1]))
		name[--len] = '_';
}

/* Add as much as is permitted of a name that is portable except for its length. */
static void add_cut(struct text *to, const char *name, size_t len)
{
	size_t stem = newname_stem(name, len), units = 0, begin = to->len;
	const uint8_t *pos = (const uint8_t *)name, *end = pos + stem;
	const uint8_t *from = pos;
	const size_t room = UNITS - count_units(end, len - stem);
	uint32_t cp;

	for (; utf8val_next(&pos, end, &cp) != UTF8VAL_END; from = pos) {
		units += cp > 0xFFFF ? 2 : 1;
		if (units > room)
			break;
		text_add(to, from, (size_t)(pos - from));
	}
	text_add(to, name + stem, len - stem);
	mend_end(to->bytes + begin, to->len - begin);
}

void portable_make(const void *name, size_t len, struct text *to)
{
	text_auto new = { 0 }, safe = { 0 };
	size_t device;

	add_replaced(&new, name, len);
	mend_end(new.bytes, new.len);
	device = device_len(new.bytes, new.len);
	text_add(&safe, new.bytes, device);
	if (device)
		text_puts(&safe, "_");
	text_add(&safe, new.bytes + device, new.len - device);
	if (count_units((uint8_t *)safe.bytes, safe.len) > UNITS)
		add_cut(to, safe.bytes, safe.len);
	else
		text_add(to, safe.bytes, safe.len);
}
