// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The four functions that GCC expects in every environment. Only the test's own
 * code may call them: the library's objects have no undefined symbol.
 */
#include "boot.h"

void *memcpy(void *restrict to, const void *restrict from, size_t len);
void *memmove(void *to, const void *from, size_t len);
void *memset(void *to, int byte, size_t len);
int memcmp(const void *a, const void *b, size_t len);

void *memcpy(void *restrict to, const void *restrict from, size_t len)
{
	const uint8_t *f = from;
	uint8_t *t = to;

	while (len--)
		*t++ = *f++;
	return to;
}

void *memmove(void *to, const void *from, size_t len)
{
	const uint8_t *f = from;
	uint8_t *t = to;

	if ((uintptr_t)t <= (uintptr_t)f)
		return memcpy(to, from, len);
	while (len--)
		t[len] = f[len];
	return to;
}

void *memset(void *to, int byte, size_t len)
{
	uint8_t *t = to;

	while (len--)
		*t++ = (uint8_t)byte;
	return to;
}

int memcmp(const void *a, const void *b, size_t len)
{
	const uint8_t *x = a;
	const uint8_t *y = b;

	for (; len; len--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}
