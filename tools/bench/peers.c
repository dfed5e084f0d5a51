// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The peers that are written in C, each called as its users call it. */
#include <glib.h>
#include <limits.h>
#include <unicode/ustring.h>
#include <unistr.h>

#include "../../utf8val.h"
#include "bench.h"

bool bench_utf8val(const void *buf, size_t len)
{
	return utf8val_valid(buf, len);
}

bool bench_utf8val_prefix(const void *buf, size_t len)
{
	return utf8val_prefix(buf, len) == len;
}

bool bench_utf8val_check(const void *buf, size_t len)
{
	return utf8val_check(buf, len).reason == UTF8VAL_OK;
}

size_t bench_utf8val_count(const void *buf, size_t len)
{
	return utf8val_count(buf, len);
}

/* repairs into a buffer that is large enough, which changes what is ill-formed */
size_t bench_utf8val_replace(const void *buf, size_t len)
{
	static uint8_t room[3u << 20];

	return utf8val_replace(room, sizeof(room), buf, len).written;
}

/* g_utf8_validate_len() takes NUL for an error; the inputs have none */
bool bench_glib(const void *buf, size_t len)
{
	return g_utf8_validate_len(buf, len, NULL);
}

bool bench_unistring(const void *buf, size_t len)
{
	return !u8_check(buf, len);
}

/* ICU has no plain check: a conversion that stores nothing is the nearest. */
bool bench_icu(const void *buf, size_t len)
{
	UErrorCode error = U_ZERO_ERROR;
	int32_t units;

	if (len > INT_MAX)
		return false;
	u_strFromUTF8(NULL, 0, &units, buf, (int32_t)len, &error);
	return error == U_BUFFER_OVERFLOW_ERROR ||
	       error == U_STRING_NOT_TERMINATED_WARNING || error == U_ZERO_ERROR;
}

/* From an object of the compact engine whose symbols have a prefix. */
bool compact_utf8val_valid(const void *buf, size_t len);

bool bench_compact(const void *buf, size_t len)
{
	return compact_utf8val_valid(buf, len);
}
