/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * As much of the kernel's headers as kernel/module.c needs. That it says the same as
 * the kernel's own is trusted.
 */
#ifndef PROOF_KERNEL_H
#define PROOF_KERNEL_H

#include "contracts.h"

/*@ requires \valid_read(name) && \valid_read(name->name + (0 .. name->len - 1));
    terminates \true; assigns \nothing;
    ensures \result == 0 || \result == -EILSEQ;
    ensures \result == 0 <==> utf8((uint8_t *)name->name, 0, name->len); */
int utf8val_check_name(const struct qstr *name);

#endif /* PROOF_KERNEL_H */
