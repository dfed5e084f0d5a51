// SPDX-License-Identifier: GPL-2.0-only
/*
 * The guard's programs as on a kernel where no program can accept a mount option: the
 * value that accepts the option leaves the hook's default. guard_no_option_test.c uses it.
 */
#define TAKEN 0

#include "guard.bpf.c"
