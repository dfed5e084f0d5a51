/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Contracts and rows of kernel/core.c, with tests/kernel as headers, for proof/prove.py. */
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

PROVE_CHECK(prove_kernel_check)

void prove_check_name(void)
{
	struct qstr name;

	any_text(UINT32_MAX);
	name.name = text;
	name.len = text_len;
	PROVED(utf8val_check_name(&name) == (run[text_len] == TEXT ? 0 : -EILSEQ), "a name");
	REACHED();
}

PROVE_REASON_NAME(prove_kernel_reason_name)
