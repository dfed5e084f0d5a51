/* SPDX-License-Identifier: GPL-2.0-only */
/* What fs/unicode needs of the <linux/...> headers that it includes. */
#ifndef UTF8VAL_BENCH_SHIM_H
#define UTF8VAL_BENCH_SHIM_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

typedef uint8_t u8;
typedef uint32_t u32;

struct qstr;
struct dentry;
struct rcu_head {
	int unused;
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define EXPORT_SYMBOL(...)
#define EXPORT_SYMBOL_GPL(...)
#define MODULE_DESCRIPTION(...)
#define MODULE_LICENSE(...)

#endif /* UTF8VAL_BENCH_SHIM_H */
