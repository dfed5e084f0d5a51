/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The part of the kernel's header that kernel/core.c needs in tests on a host.
 * tests/tests.mk and proof/prove.py compile with it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
