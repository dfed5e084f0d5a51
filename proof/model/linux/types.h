/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t __u8, u8;
typedef uint16_t __u16;
typedef uint32_t __u32, u32;
typedef uint64_t __u64, u64;
typedef int32_t __s32;
typedef int64_t __s64;
