/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the fast engine says of a name: a text of up to 48 bytes. */
#include "prover.h"
#include "loops.h"
#include "utf8val.c"

static void any_name(void)
{
	any_text(FAST_NAME_MAX);
	/* of tiny texts and of the first word, which no loop passes */
	know_steps(0, 8);
}

void prove_fast_prefix(void)
{
	size_t good;

	any_name();
	good = utf8val_prefix(text, text_len);
	know_steps(good, 4);
	PROVED(IS_PREFIX(0, text_len, good), "the longest prefix");
	REACHED();
}

void prove_fast_valid(void)
{
	any_name();
	__CPROVER_assume(any == text_len);
	PROVED(utf8val_valid(text, text_len) == (run[text_len] == TEXT), "well-formed");
	REACHED();
}

void prove_fast_check(void)
{
	struct utf8val_result result;

	any_name();
	result = utf8val_check(text, text_len);
	know_steps(result.valid, 4);
	know_unit(result.valid);
	PROVED(IS_PREFIX(0, text_len, result.valid), "the longest prefix");
	PROVED(result.valid == text_len ? !result.bad && result.reason == UTF8VAL_OK :
	       IS_BAD(result.valid, result.bad, result.reason), "why it ends");
	REACHED();
}
