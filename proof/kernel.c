/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What kernel/core.c says, with the stubs of the kernel's headers in tests/kernel. */
#define UTF8VAL_H		/* the kernel's header stands for the core's */
#include "kernel/include/linux/utf8val.h"
#include "prover.h"
#include "loops.h"

static bool is_text(const u8 *s, size_t at, size_t len)
	__CPROVER_requires(s == text && len == text_len && at <= len && run[at] == TEXT)
	__CPROVER_ensures(__CPROVER_return_value == (run[len] == TEXT))
	__CPROVER_assigns();
bool utf8val_valid(const void *buf, size_t len)
	__CPROVER_requires(buf == text && len == text_len)
	__CPROVER_ensures(__CPROVER_return_value == (run[len] == TEXT))
	__CPROVER_assigns();

#include "kernel/core.c"

void prove_kernel_text(void)
{
	size_t at;

	any_text(LONGEST);
	__CPROVER_assume(at <= text_len && run[at] == TEXT);
	is_text(text, at, text_len);
	REACHED();
}

void prove_kernel_valid(void)
{
	any_text(LONGEST);
	/* the last bytes, which no loop passes */
	know_steps(text_len & ~(size_t)15, 15);
	utf8val_valid(text, text_len);
	REACHED();
}

void prove_kernel_check(void)
{
	struct utf8val_result result;

	any_text(LONGEST);
	result = utf8val_check(text, text_len);
	know_steps(result.valid, 4);
	know_unit(result.valid);
	PROVED(IS_PREFIX(0, text_len, result.valid), "the longest prefix");
	PROVED(result.valid == text_len ? !result.bad && result.reason == UTF8VAL_OK :
	       IS_BAD(result.valid, result.bad, result.reason), "why it ends");
	REACHED();
}

void prove_check_name(void)
{
	struct qstr name;

	any_text(UINT32_MAX);
	name.name = text;
	name.len = text_len;
	PROVED(utf8val_check_name(&name) == (run[text_len] == TEXT ? 0 : -EILSEQ), "a name");
	REACHED();
}

void prove_kernel_reason_name(void)
{
	static const char *const words[] = {
		"ok", "truncated", "stray tail", "missing tail", "overlong", "surrogate",
		"too large", "bad lead", "unknown"
	};
	unsigned int reason;
	const char *word = utf8val_reason_name(reason);
	const char *want = words[reason < 8 ? reason : 8];
	size_t i;

	for (i = 0; want[i]; i++)
		PROVED(word[i] == want[i], "its word");
	PROVED(!word[i], "and no more");
	REACHED();
}
