/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Guesses for names in damaged UTF-8: another encoding form, overlong sequences, a cut.
 * guess.c and show call this.
 */
#ifndef UTF8VAL_GUESS_FORM_H
#define UTF8VAL_GUESS_FORM_H

#include "base/text.h"
#include "guess/kind.h"
#include "utf8val_forms.h"

/* The guess at an ill-formed name, GUESS_NONE if it is none of these. */
struct guess form_guess(const void *name, size_t len, struct text *scratch);

/* Add what a name of such a kind is; false when it is none. */
bool form_convert(enum guess_kind kind, const void *name, size_t len, struct text *to);

/* Add in UTF-8 what bytes say in a form; false when they are not of it. */
bool form_to_utf8(enum utf8val_form form, const void *name, size_t len, struct text *to);

#endif /* UTF8VAL_GUESS_FORM_H */
