// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The forms beside UTF-8: one walk over the automaton of each form. All automata are
 * derived from the forms' grammars (tools/gen/tables.py). The command calls it.
 */
#include "utf8val_forms.h"
#include "../engine/loop.h"
#include "../engine/reason.h"
#include "tables.h"

struct automaton {
	const uint8_t *class_of;
	const uint8_t *next;
	size_t classes;
	size_t reject;
};

#define AUTOMATON(form, FORM)						\
	{ utf8val_##form##_class_of, utf8val_##form##_next,		\
	  UTF8VAL_##FORM##_CLASSES, UTF8VAL_##FORM##_STATES - 1u }

static const struct automaton automata[] = {
	[UTF8VAL_FORM_UTF8] = AUTOMATON(utf8, UTF8),
	[UTF8VAL_FORM_CESU8] = AUTOMATON(cesu8, CESU8),
	[UTF8VAL_FORM_MUTF8] = AUTOMATON(mutf8, MUTF8),
	[UTF8VAL_FORM_UCS4] = AUTOMATON(ucs4, UCS4),
};

/*
 * The length of the character at s[0..len), where len > 0. The result is 0 if there is
 * none; then *good is how many bytes could begin a character.
 */
static size_t character(enum utf8val_form form, const uint8_t *s, size_t len,
			size_t *good)
{
	const struct automaton *a = &automata[form];
	size_t state = 0;
	size_t at;

	for (at = 0; at < len; at++) {
		state = a->next[state * a->classes + a->class_of[s[at]]];
		if (state == a->reject)
			break;
		if (state == 0)
			return at + 1;
	}
	*good = at;
	return 0;
}

/*
 * Why is a sequence ill-formed whose first @good bytes are right? The byte
 * after those must exist.
 */
static enum utf8val_reason why_rejected(enum utf8val_form form,
					const uint8_t *s, size_t good)
{
	uint8_t byte = s[good];

	/* half a pair, with no second half after it, or with a wrong one */
	if (form != UTF8VAL_FORM_UCS4 && s[0] == 0xEDu && good > 2)
		return UTF8VAL_SURROGATE;
	if (good != 0 && (byte & 0xC0u) != 0x80u)
		return UTF8VAL_MISSING_TAIL;
	/* NUL where it has two bytes; in no form is a code point too large */
	if (s[0] < 0x80u || s[0] >= 0xF0u)
		return good == 0 ? UTF8VAL_BAD_LEAD : UTF8VAL_OVERLONG;
	return utf8val_lead_reason(s[0]);
}

struct utf8val_result utf8val_form_check(enum utf8val_form form,
					 const void *buf, size_t len)
{
	const uint8_t *s = buf;
	struct utf8val_result result;

	result.valid = 0;
	result.bad = 0;
	result.reason = UTF8VAL_OK;
	if (form == UTF8VAL_FORM_UTF8)
		return utf8val_check(buf, len);
	while (result.valid < len)
	UTF8VAL_LOOP(form_check) {
		size_t good;
		size_t size = character(form, s + result.valid,
					len - result.valid, &good);

		if (size) {
			result.valid += size;
			continue;
		}
		if (good == len - result.valid) {
			result.reason = UTF8VAL_TRUNCATED;
		} else {
			result.reason = (uint8_t)
				why_rejected(form, s + result.valid, good);
			/*
			 * a lone half is one error, and the bytes after it are
			 * read again
			 */
			if (result.reason == UTF8VAL_SURROGATE && good > 3)
				good = 3;
		}
		result.bad = (uint8_t)(good ? good : 1);
		break;
	}
	return result;
}

/*
 * The code point of a character; in CESU-8 a pair of six bytes is one
 * character.
 */
static uint32_t code_point(enum utf8val_form form, const uint8_t *s,
			   size_t size)
{
	uint32_t cp = s[0];
	size_t i;

	if (size == 1)
		return cp;
	if (size == 6 && form != UTF8VAL_FORM_UCS4)
		return 0x10000u + ((s[1] & 0x0Fu) << 16 | (s[2] & 0x3Fu) << 10 |
				   (s[4] & 0x0Fu) << 6 | (s[5] & 0x3Fu));
	cp &= 0x7Fu >> size;
	for (i = 1; i < size; i++)
		cp = cp << 6 | (s[i] & 0x3Fu);
	return cp;
}

/*
 * Encode @cp, in as many bytes as its value needs, up to six. Returns their
 * number.
 */
static size_t plain(uint32_t cp, uint8_t *out)
{
	size_t size = 1;
	size_t i;

	if (cp < 0x80u) {
		out[0] = (uint8_t)cp;
		return 1;
	}
	while (size < 6 && cp >> (size == 1 ? 7 : 5 * size + 1) != 0)
		size++;
	for (i = size - 1; i; i--) {
		out[i] = (uint8_t)(0x80u | (cp & 0x3Fu));
		cp >>= 6;
	}
	out[0] = (uint8_t)(0xFF00u >> size | cp);
	return size;
}

/*
 * Encode @cp in a form. Returns: up to six bytes; 0 if the form has no such
 * value.
 */
static size_t encode(enum utf8val_form form, uint32_t cp, uint8_t *out)
{
	if (form == UTF8VAL_FORM_UCS4)
		return plain(cp, out);
	if (form == UTF8VAL_FORM_UTF8 || cp > 0x10FFFFu)
		return utf8val_encode(cp, out);
	if (form == UTF8VAL_FORM_MUTF8 && cp == 0) {
		out[0] = 0xC0;
		out[1] = 0x80;
		return 2;
	}
	if (cp < 0x10000u)
		return utf8val_encode(cp, out);
	cp -= 0x10000u;
	return plain(0xD800u + (cp >> 10), out) +
	       plain(0xDC00u + (cp & 0x3FFu), out + 3);
}

/*
 * Walk over the source once, and store the characters that fit. Returns: how
 * many bytes the whole result needs, or SIZE_MAX if it cannot be made.
 */
static size_t convert(enum utf8val_form from, enum utf8val_form to, uint8_t *d,
		      size_t cap, const uint8_t *s, size_t len)
{
	size_t need = 0;
	size_t at = 0;

	while (at < len) {
		uint8_t out[6];
		size_t good, i, out_size;
		size_t size = character(from, s + at, len - at, &good);

		if (!size)
			return SIZE_MAX;
		out_size = encode(to, code_point(from, s + at, size), out);
		if (!out_size)
			return SIZE_MAX;
		/*
		 * once a character does not fit no later one does, so there is
		 * no gap
		 */
		for (i = 0; need + out_size <= cap && i < out_size; i++)
			d[need + i] = out[i];
		need += out_size;
		at += size;
	}
	return need;
}

size_t utf8val_form_convert(enum utf8val_form from, enum utf8val_form to,
			    void *dst, size_t cap, const void *src, size_t len)
{
	/* a walk without room judges the source before anything is written */
	size_t need = convert(from, to, NULL, 0, src, len);

	if (need != SIZE_MAX && cap)
		convert(from, to, dst, cap, src, len);
	return need;
}
