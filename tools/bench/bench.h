/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A peer answers one question: are these bytes well-formed UTF-8? Functions of the
 * library that answer other questions are timed beside the peers.
 */
#ifndef UTF8VAL_BENCH_H
#define UTF8VAL_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

bool bench_valid(const void *buf, size_t len);
bool bench_prefix(const void *buf, size_t len);
bool bench_check(const void *buf, size_t len);
bool bench_feed(const void *buf, size_t len);
bool bench_stream(const void *buf, size_t len);
size_t bench_count(const void *buf, size_t len);
size_t bench_replace(const void *buf, size_t len);
size_t bench_replaced_size(const void *buf, size_t len);
size_t bench_next(const void *buf, size_t len);
size_t bench_prev(const void *buf, size_t len);
size_t bench_encode(const void *buf, size_t len);
size_t bench_step(const void *buf, size_t len);
size_t bench_floor(const void *buf, size_t len);
size_t bench_trim(const void *buf, size_t len);
bool bench_simdutf(const void *buf, size_t len);
bool bench_simdutf_position(const void *buf, size_t len);
bool bench_simdjson(const void *buf, size_t len);
bool bench_rust(const void *buf, size_t len);
bool bench_glib(const void *buf, size_t len);

/* The names of the kernels that these chose for this processor. */
const char *bench_simdjson_name(void);
const char *bench_simdutf_name(void);

#ifdef __cplusplus
}
#endif

#endif /* UTF8VAL_BENCH_H */
