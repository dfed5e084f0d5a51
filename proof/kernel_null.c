/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* No bytes at NULL for kernel/core.c: rounds of loops are counted here. */
#define UTF8VAL_H
#include "kernel/include/linux/utf8val.h"
#include "prover.h"
#undef UTF8VAL_LOOP
#define UTF8VAL_LOOP(name)
#include "kernel/core.c"

void prove_kernel_null(void)
{
	struct utf8val_result result = utf8val_check(NULL, 0);

	PROVED(utf8val_valid(NULL, 0), "well-formed");
	PROVED(!result.valid && !result.bad && result.reason == UTF8VAL_OK, "checked");
	REACHED();
}
