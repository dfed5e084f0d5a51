/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* No bytes at NULL, wherever a header allows that: rounds of loops are counted here. */
#include "prover.h"
#include "loops.h"
#undef UTF8VAL_LOOP
#undef UTF8VAL_FUNCTION
#define UTF8VAL_LOOP(name)
#define UTF8VAL_FUNCTION(name)

#include "utf8val.c"
#include "forms/utf8val_forms.c"

#define IS_ALL(result) (!result.valid && !result.bad && result.reason == UTF8VAL_OK)

void prove_null(void)
{
	struct utf8val_stream stream, old = stream;
	struct utf8val_result result = utf8val_check(NULL, 0);
	struct utf8val_replaced done;
	struct utf8val_dfa dfa, was = dfa;
	const uint8_t *pos = NULL;
	uint8_t out[8], before = out[0];
	enum utf8val_form form;
	size_t at, cap;
	uint32_t cp;

	PROVED(utf8val_valid(NULL, 0) && IS_ALL(result), "well-formed");
	result = utf8val_form_check(form, NULL, 0);
	PROVED((unsigned int)form > UTF8VAL_FORM_UCS4 || IS_ALL(result), "in each form");
	PROVED(!utf8val_prefix(NULL, 0) && !utf8val_count(NULL, 0) && !utf8val_trim(NULL, 0) &&
	       !utf8val_replaced_size(NULL, 0) && !utf8val_floor(NULL, 0, at), "none");
	PROVED(utf8val_next(&pos, NULL, &cp) == UTF8VAL_END && !pos && cp == 0xFFFD, "the end");
	cp = 0;
	PROVED(utf8val_prev(&pos, NULL, &cp) == UTF8VAL_END && !pos && cp == 0xFFFD, "the start");
	PROVED(utf8val_feed(&dfa, NULL, 0) == (dfa.state != UTF8VAL_REJECT) &&
	       MEANS(dfa.state) == MEANS(was.state), "the same state");
	PROVED(utf8val_stream_feed(&stream, NULL, 0) == (old.reason == UTF8VAL_OK) &&
	       stream.valid == old.valid && stream.pending == old.pending &&
	       stream.reason == old.reason && stream.bytes[at % 4] == old.bytes[at % 4], "as it was");
	__CPROVER_assume(cap <= sizeof(out));
	done = utf8val_replace(cap ? out : NULL, cap, NULL, 0);
	PROVED(!done.read && !done.written && out[0] == before, "nothing to replace");
	done = utf8val_replace(NULL, 0, out, cap);
	PROVED(!done.read && !done.written, "no room");
	REACHED();
}
