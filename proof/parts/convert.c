/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What by_cbmc.py asks of convert() in forms/utf8val_forms.c: what one turn of its loop
 * does, from any state that the loop can be in, to texts and buffers of any length
 * below 2^47. changed.c is that file, with the loop's "while" made an "if" and its two
 * variables, which begin at 0, standing here.
 *
 * By induction over the characters of the source, for the loop as a whole:
 *   - before each turn, "at" is the length of the characters converted so far, and "need"
 *     that of what they are in the other form. A turn moves the first by one character
 *     and the second by its counterpart's length. Both begin at 0.
 *   - before each turn, dst[0 .. min(need, cap)) is what they are in the other form, up
 *     to the first that did not fit; after that dst is as it was. A turn whose
 *     counterpart fits writes it at "need" and nothing else; any other writes nothing,
 *     and leaves "need" above cap, so that no later one fits.
 *   - the loop ends at the source's end with "need", or with SIZE_MAX exactly at what is
 *     no character of the one form, or has no counterpart in the other.
 * utf8val_form_convert() is asked about, too, apart from it: what is not converted as a
 * whole leaves dst alone.
 */
#define UTF8VAL_ENGINE_COMPACT 1
#define is_tail core_is_tail
#include "utf8val.c"
#undef is_tail
static size_t need, at;

/* What utf8val_form_convert() calls instead of convert(): gives any length, or SIZE_MAX. */
static struct call {
	enum utf8val_form from, to;
	uint8_t *d;
	size_t cap;
	const uint8_t *s;
	size_t len, gives;
} calls[3];
static size_t called;

static size_t ask(enum utf8val_form from, enum utf8val_form to, uint8_t *d, size_t cap,
		  const uint8_t *s, size_t len)
{
	size_t any;

	calls[called++] = (struct call){ from, to, d, cap, s, len, any };
	return any;
}

#include "changed.c"
#include "rules.h"

/* How long the character of a code point is. */
static size_t cp_size(enum utf8val_form form, uint32_t cp)
{
	if (cp == 0 && form == UTF8VAL_FORM_MUTF8)
		return 2;
	if (cp < 0x10000)
		return cp < 0x80 ? 1 : cp < 0x800 ? 2 : 3;
	if (form == UTF8VAL_FORM_CESU8 || form == UTF8VAL_FORM_MUTF8)
		return 6;
	return cp < 0x200000 ? 4 : cp < 0x4000000 ? 5 : 6;
}

/* CBMC keeps 56 bits of a place in an object */
#define LONGEST (PTRDIFF_MAX >> 16)

void prove_convert(void)
{
	enum utf8val_form from = FROM, to = TO;
	size_t left, seen, cap, began, was, any, i, size, begun, result, wanted;
	uint8_t *source = malloc(seen), *target = malloc(cap);
	uint8_t old, written[CHAR_MAX] = { 0 };
	uint32_t cp;

	/* the first of two calls passes NULL, and 0 */
	__CPROVER_assume(source && (target || !cap));
	/* one byte more may be read than a character has, or all that are left */
	__CPROVER_assume(seen == (left <= CHAR_MAX ? left : CHAR_MAX + 1));
	__CPROVER_assume(left <= LONGEST && began <= LONGEST && was <= 2 * began);
	__CPROVER_assume(cap <= LONGEST && (!cap || any < cap));
	old = cap ? target[any] : 0;
	at = began;
	need = was;
	/* so that s + at is a known object, though at is any number */
	result = convert(from, to, target, cap, source - began, began + left);
	__CPROVER_assert(0, REACHED);

	size = char_size(from, source, seen, &begun);
	cp = size ? wanted_cp(from, source, size) : 0;
	wanted = cp_size(to, cp);
	if (!left) {
		__CPROVER_assert(result == was && at == began, "the end");
		wanted = 0;
	} else if (!size || !carries(to, cp)) {
		__CPROVER_assert(result == SIZE_MAX, "what cannot be converted");
		wanted = 0;
	} else {
		__CPROVER_assert(at == began + size && size <= left,
				 "one character read");
		__CPROVER_assert(need == was + wanted && need <= 2 * at,
				 "its counterpart's length");
		__CPROVER_assert(result == need, "the length so far");
		if (need > cap)
			wanted = 0;
	}
	for (i = 0; i < wanted; i++)
		written[i] = target[was + i];
	if (wanted)
		__CPROVER_assert(char_size(to, written, wanted, &begun) == wanted &&
				 wanted_cp(to, written, wanted) == cp,
				 "what is written is the counterpart");
	if (cap)
		__CPROVER_assert(target[any] == old ||
				 (any >= was && any < was + wanted),
				 "nothing else is written");
}

/* The source is judged without room, and then, if all of it can be, converted. */
void prove_utf8val_form_convert(void)
{
	enum utf8val_form from = any_form(), to = any_form();
	uint8_t *source, *target;
	size_t cap, len, i;
	size_t result = utf8val_form_convert(from, to, target, cap, source, len);

	__CPROVER_assert(result == calls[0].gives, "what is said of it without room");
	__CPROVER_assert(called == (result != SIZE_MAX && cap ? 2 : 1), "converted if it can be");
	for (i = 0; i < called; i++)
		__CPROVER_assert(calls[i].from == from && calls[i].to == to &&
				 calls[i].s == source && calls[i].len == len &&
				 calls[i].cap == (i ? cap : 0) &&
				 calls[i].d == (i ? target : NULL), "this source");
	__CPROVER_assert(0, REACHED);
}
