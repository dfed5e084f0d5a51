// SPDX-License-Identifier: GPL-2.0-only
/*
 * The guard's programs as they are on a kernel that does not let one take a mount
 * option: what says "taken" leaves the hook's default.
 */
#define TAKEN 0

#include "guard.bpf.c"
