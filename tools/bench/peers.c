// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The library's functions, and the peers that are written in C, as users call them.
 * bench.c calls them.
 */
#ifndef BENCH_COUNT
#include <glib.h>
#endif

#include "../../utf8val.h"
#include "bench.h"

bool bench_valid(const void *buf, size_t len)
{
	return utf8val_valid(buf, len);
}

bool bench_prefix(const void *buf, size_t len)
{
	return utf8val_prefix(buf, len) == len;
}

bool bench_check(const void *buf, size_t len)
{
	return utf8val_check(buf, len).reason == UTF8VAL_OK;
}

bool bench_feed(const void *buf, size_t len)
{
	struct utf8val_dfa dfa = { UTF8VAL_ACCEPT };

	return utf8val_feed(&dfa, buf, len) && dfa.state == UTF8VAL_ACCEPT;
}

bool bench_stream(const void *buf, size_t len)
{
	struct utf8val_stream stream;

	utf8val_stream_init(&stream);
	utf8val_stream_feed(&stream, buf, len);
	return utf8val_stream_finish(&stream).reason == UTF8VAL_OK;
}

size_t bench_count(const void *buf, size_t len)
{
	return utf8val_count(buf, len);
}

/* repairs into a buffer that is large enough, which changes what is ill-formed */
size_t bench_replace(const void *buf, size_t len)
{
	static uint8_t room[3u << 20];

	return utf8val_replace(room, sizeof(room), buf, len).written;
}

size_t bench_replaced_size(const void *buf, size_t len)
{
	return utf8val_replaced_size(buf, len);
}

size_t bench_next(const void *buf, size_t len)
{
	const uint8_t *pos = buf, *end = pos + len;
	size_t sum = 0;
	uint32_t cp;

	while (utf8val_next(&pos, end, &cp) != UTF8VAL_END)
		sum += cp;
	return sum;
}

size_t bench_prev(const void *buf, size_t len)
{
	const uint8_t *start = buf, *pos = start + len;
	size_t sum = 0;
	uint32_t cp;

	while (utf8val_prev(&pos, start, &cp) != UTF8VAL_END)
		sum += cp;
	return sum;
}

/* the code points of the text, encoded again into the same four bytes */
size_t bench_encode(const void *buf, size_t len)
{
	const uint8_t *pos = buf, *end = pos + len;
	size_t sum = 0;
	uint8_t out[4];
	uint32_t cp;

	while (utf8val_next(&pos, end, &cp) != UTF8VAL_END)
		sum += utf8val_encode(cp, out);
	return sum;
}

size_t bench_step(const void *buf, size_t len)
{
	struct utf8val_dfa dfa = { UTF8VAL_ACCEPT };
	const uint8_t *bytes = buf;
	uint32_t cp = 0;
	size_t sum = 0;

	for (size_t i = 0; i < len; i++)
		sum += utf8val_step(&dfa, &cp, bytes[i]);
	return sum;
}

/* cuts in the middle, which is in a character more often than the end is */
size_t bench_floor(const void *buf, size_t len)
{
	return utf8val_floor(buf, len, len / 2);
}

size_t bench_trim(const void *buf, size_t len)
{
	return utf8val_trim(buf, len - len / 2);
}

/* g_utf8_validate_len() takes NUL for an error; the inputs have none */
#ifndef BENCH_COUNT
bool bench_glib(const void *buf, size_t len)
{
	return g_utf8_validate_len(buf, len, NULL);
}
#endif
