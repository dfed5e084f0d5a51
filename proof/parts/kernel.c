/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What shared.c asks of kernel/core.c, and what else the kernel's own core has. Its
 * header is the kernel's own, too: UTF8VAL_H keeps away the core's, and PROOF_KERNEL_H
 * the contracts of the core's functions.
 */
#define UTF8VAL_H
#define PROOF_KERNEL_H
#include "kernel/include/linux/utf8val.h"

/* is_text() itself, or what it is asked; utf8val_valid() calls this instead of it. */
static bool only_asked, rest_good;
static size_t rest, rest_len;
static const u8 *rest_of;
static bool is_text(const u8 *s, size_t at, size_t len);

static bool ask(const u8 *s, size_t at, size_t len)
{
	u32 any;

	if (!only_asked)
		return is_text(s, at, len);
	rest = at;
	rest_of = s;
	rest_len = len;
	return rest_good = any > 0;
}

#include "changed.c"
#include "kernel/module.c"
#include "shared.c"

/*
 * Texts of more turns of each loop. utf8val_valid() passes nothing but ASCII, and then
 * has the answer of is_text() about the rest, which is that of the rows byte by byte from
 * any place on. That these are right, and that ASCII changes no state, the shorter texts
 * show.
 */
void prove_passes(void)
{
	size_t len, any;
	uint8_t *s;
	bool good;

	__CPROVER_assume(len <= LEN);
	s = malloc(len);
	__CPROVER_assume(s);
	only_asked = rest_good = true;
	rest = rest_len = len;
	rest_of = s;
	good = utf8val_valid(s, len);
	__CPROVER_assert(rest_of == s && rest_len == len, "of this text");
	__CPROVER_assert(rest <= len && good == rest_good, "the answer about the rest");
	__CPROVER_assert(any >= rest || s[any] < 0x80, "ASCII before");
	__CPROVER_assert(0, REACHED);
}

void prove_is_text(void)
{
	uint8_t *s = malloc(LEN);
	u32 state = UTF8VAL_FAST_ACCEPT;
	size_t at, from;

	__CPROVER_assume(s && from <= LEN);
	for (at = 0; at < LEN; at++)
		if (at >= from)
			state = utf8val_fast_rows[s[at]] >> state & 31;
	__CPROVER_assert(is_text(s, from, LEN) == (state == UTF8VAL_FAST_ACCEPT),
			 "accepted byte by byte");
	__CPROVER_assert(0, REACHED);
}

/* The kernel's form of a name: any that has LEN bytes. */
void prove_utf8val_check_name(void)
{
	struct text text;
	const struct qstr name = { .len = LEN, .name = any_text(&text) };

	__CPROVER_assert(utf8val_check_name(&name) ==
			 (text.well_formed[LEN] ? 0 : -EILSEQ), "well-formed");
	__CPROVER_assert(0, REACHED);
}

/* Each number has a readable word, and each reason another one. */
void prove_utf8val_reason_name(void)
{
	unsigned int a, b;
	const char *one = utf8val_reason_name(a);
	const char *other = utf8val_reason_name(b);

	__CPROVER_assert(*one && (one == other) ==
			 (a == b || (a >= UTF8VAL_REASONS && b >= UTF8VAL_REASONS)),
			 "a word of its own");
	__CPROVER_assert(0, REACHED);
}
