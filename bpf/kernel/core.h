/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The core, compiled for BPF. BPF has no functions that return a struct, so
 * those of the core are static here: a static function that is not used is not
 * compiled. The other functions are hidden outside of the object, because the
 * verifier would want to know the arguments of each visible one.
 */
#ifndef UTF8VAL_GUARD_CORE_H
#define UTF8VAL_GUARD_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct utf8val_stream;
static struct utf8val_result utf8val_check(const void *buf, size_t len);
static struct utf8val_result
utf8val_stream_finish(const struct utf8val_stream *stream);

#pragma GCC visibility push(hidden)
#define UTF8VAL_ENGINE_COMPACT 1
#include "utf8val.c"
#pragma GCC visibility pop

#endif /* UTF8VAL_GUARD_CORE_H */
