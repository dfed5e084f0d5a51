// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Guesses from other encoding forms, such as CESU-8, and for names that were cut.
 * guess/guess.c and show call it. Without it, "UTF-8, cut", "UTF-8, by wget" and "CESU-8" of
 * bench-guess have no right guess.
 */
#include "guess/form.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "utf8val.h"

/* file systems cut names at NAME_MAX bytes, which leaves at most 3 of a character */
#define CUT_LIMIT (NAME_MAX - 3)

bool form_to_utf8(enum utf8val_form form, const void *name, size_t len, struct text *to)
{
	size_t need = utf8val_form_convert(form, UTF8VAL_FORM_UTF8, NULL, 0, name, len);

	if (need == SIZE_MAX)
		return false;
	utf8val_form_convert(form, UTF8VAL_FORM_UTF8, text_room(to, need + 1), need, name,
			     len);
	to->len += need;
	return true;
}

/*
 * The value of an overlong sequence, and its length. The sequence has a lead byte of
 * two, three or four bytes, with zeros where the shortest form has none.
 */
static size_t overlong_value(const uint8_t *s, size_t len, uint32_t *cp)
{
	size_t need = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;

	if (len < need)
		return 0;
	*cp = need == 2 ? s[0] & 0x1Fu : 0;
	for (size_t i = 1; i < need; i++) {
		if (s[i] < 0x80 || s[i] > 0xBF)
			return 0;
		*cp = *cp << 6 | (s[i] & 0x3Fu);
	}
	return need;
}

static bool from_overlong(const uint8_t *name, size_t len, struct text *to)
{
	while (len) {
		struct utf8val_result r = utf8val_check(name, len);
		uint8_t unit[4];
		uint32_t cp;
		size_t used;

		text_add(to, name, r.valid);
		name += r.valid;
		len -= r.valid;
		if (!len)
			break;
		if (r.reason != UTF8VAL_OVERLONG)
			return false;
		used = overlong_value(name, len, &cp);
		if (!used || !utf8val_encode(cp, unit))
			return false;
		text_add(to, unit, utf8val_encode(cp, unit));
		name += used;
		len -= used;
	}
	return true;
}

/*
 * wget writes the bytes from 0x80 to 0x9F, ISO 8859-1's control characters, as %XX in
 * capitals. It leaves those from 0xA0 on: part of nearly each character. Add the whole with
 * these bytes in their places; false where that is not UTF-8, or wget would not have
 * written it so.
 */
static bool from_percent(const uint8_t *name, size_t len, struct text *to)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t begin = to->len;
	bool good = true;

	for (size_t i = 0; i < len; i++) {
		const char *low = i + 2 < len && name[i + 2] ?
					  strchr(digits, name[i + 2]) : NULL;
		uint8_t byte = name[i];

		good &= byte < 0x80 || byte > 0x9F;
		if (byte == '%' && low && (name[i + 1] | 1) == '9') {
			byte = (uint8_t)((name[i + 1] - '0') * 16 + (low - digits));
			i += 2;
		}
		text_add(to, &byte, 1);
	}
	good = good && to->len > begin &&
	       utf8val_valid(to->bytes + begin, to->len - begin);
	if (!good)
		to->len = begin;
	return good;
}

bool form_convert(enum guess_kind kind, const void *name, size_t len, struct text *to)
{
	switch (kind) {
	case GUESS_CESU8:
		return form_to_utf8(UTF8VAL_FORM_CESU8, name, len, to);
	case GUESS_MUTF8:
		return form_to_utf8(UTF8VAL_FORM_MUTF8, name, len, to);
	case GUESS_OVERLONG:
		return from_overlong(name, len, to);
	case GUESS_CUT:
		text_add(to, name, utf8val_prefix(name, len));
		return true;
	case GUESS_PERCENT:
		return from_percent(name, len, to);
	default:
		return false;
	}
}

static bool is_form(enum utf8val_form form, const void *name, size_t len)
{
	return utf8val_form_check(form, name, len).reason == UTF8VAL_OK;
}

static size_t count_high(const uint8_t *s, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++)
		count += s[i] >= 0x80;
	return count;
}

/*
 * Was it cut? File systems do that at 255 bytes, eCryptfs at 143. Elsewhere a name in
 * another charset may end like this, too. Then so many well-formed characters must
 * precede the end that no such name has them by chance.
 */
static bool is_surely_cut(const uint8_t *name, size_t len, size_t valid)
{
	size_t high = count_high(name, valid);

	return high && ((len >= CUT_LIMIT && len <= NAME_MAX) ||
			(len > 143 - 3 && len <= 143) || high >= 12);
}

struct guess form_guess(const void *name, size_t len, struct text *scratch)
{
	struct utf8val_result r = utf8val_check(name, len);
	struct guess guess = { .kind = GUESS_NONE, .sure = GUESS_POSSIBLE };

	scratch->len = 0;
	/* what is left of a character has %XX after it, and not its tail */
	if (r.reason == UTF8VAL_MISSING_TAIL && from_percent(name, len, scratch))
		return (struct guess){ .kind = GUESS_PERCENT, .sure = GUESS_CERTAIN };
	/* no form has these, and all begin as UTF-8 does */
	if (r.reason == UTF8VAL_STRAY_TAIL || r.reason == UTF8VAL_MISSING_TAIL)
		return guess;
	/* nor an end like this */
	if (r.reason == UTF8VAL_TRUNCATED) {
		if (count_high(name, r.valid) || len >= CUT_LIMIT)
			guess = (struct guess){ .kind = GUESS_CUT, .sure = GUESS_POSSIBLE };
		if (is_surely_cut(name, len, r.valid))
			guess.sure = GUESS_LIKELY;
	} else if (is_form(UTF8VAL_FORM_CESU8, name, len)) {
		guess = (struct guess){ .kind = GUESS_CESU8, .sure = GUESS_CERTAIN };
	} else if (is_form(UTF8VAL_FORM_MUTF8, name, len)) {
		guess = (struct guess){ .kind = GUESS_MUTF8, .sure = GUESS_CERTAIN };
	} else if (is_form(UTF8VAL_FORM_UCS4, name, len)) {
		guess = (struct guess){ .kind = GUESS_UCS4, .sure = GUESS_LIKELY };
	} else if (from_overlong(name, len, scratch)) {
		/* no program writes these by mistake: they hide something */
		guess = (struct guess){ .kind = GUESS_OVERLONG, .sure = GUESS_POSSIBLE };
	}
	return guess;
}
