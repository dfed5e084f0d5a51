// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Good names as evidence for the ill-formed ones beside them. scan/bad.c and
 * scan/bad_dir.c call it.
 */
#include "scan/good.h"

#include <pthread.h>

#include "guess/data.h"

/* Latin letters beyond ASCII that charsets of single bytes have are among these. */
#define FIRST 0xC0
#define END 0x250

/* The charsets that have a letter, as bits. */
static uint64_t having[END - FIRST];

static bool is_latin(char16_t c)
{
	return c >= FIRST && c < END && c != 0xD7 && c != 0xF7;
}

static void init(void)
{
	data_init();
	for (unsigned int charset = 1; charset <= MODEL_SINGLE; charset++) {
		for (unsigned int i = 0; i < 128; i++) {
			char16_t c = data_charset(charset)->chars[i];

			if (is_latin(c))
				having[c - FIRST] |= 1ull << charset;
		}
	}
}

void good_add(struct good_names *good, const char *name, size_t len)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const uint8_t *s = (const uint8_t *)name;
	uint64_t written = ~0ull;
	bool any = false;

	pthread_once(&once, init);
	for (size_t i = 0; i + 1 < len; i++) {
		/* two bytes, of which the first has five bits */
		char16_t c = (char16_t)((s[i] & 0x1F) << 6 | (s[i + 1] & 0x3F));

		if (s[i] < 0xC3 || s[i] >= 0xE0 || !is_latin(c) || !having[c - FIRST])
			continue;
		written &= having[c - FIRST];
		any = true;
	}
	if (!any)
		return;
	good->count++;
	for (; written; written &= written - 1) {
		unsigned int charset = (unsigned int)__builtin_ctzll(written);

		if (charset < MODEL_CHARSETS)
			good->written[charset]++;
	}
}

uint64_t good_against(const struct good_names *good)
{
	uint64_t against = 0;

	for (unsigned int charset = 1; charset <= MODEL_SINGLE; charset++)
		against |= (uint64_t)(2 * good->written[charset] < good->count) << charset;
	return against;
}

bool good_is_latin(unsigned int charset, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		uint8_t byte = (uint8_t)name[i];

		if (byte >= 0x80 && is_latin(data_charset(charset)->chars[byte - 0x80]))
			return true;
	}
	return false;
}
